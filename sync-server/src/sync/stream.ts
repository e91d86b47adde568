/** Everything that a device has not seen, a page a line, for as long as it reads: catalogue, what is new, then what is older. */
import type { Poke, ResyncReason, StreamCursors, StreamRequest } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { type SignedInDevice, userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { devices } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { nextRange, PAGE_STORED_BYTES, readScope, type ScopeState } from './pages.ts';
import { requireKnownProtocol } from './protocol-version.ts';
import { CATALOGUE_SCOPE } from './pull.ts';
import { type Owner, readRange, tablesJson, type VersionRange } from './wire-rows.ts';

const PAGE_ROWS = 2_000;

/** Lines of NDJSON. What speaks against the request is thrown before the first line. */
export async function openStream(
  { db }: { db: Database },
  device: SignedInDevice,
  request: StreamRequest,
): Promise<AsyncGenerator<string>> {
  requireKnownProtocol(request.protocol);
  if (request.deviceId !== device.deviceId) throw failure('auth.forbidden', { field: 'deviceId' });
  const start = await inSnapshot(db, (tx) => firstCursors(tx, device, request));
  return linesFrom(db, device, start);
}

async function* linesFrom(db: Database, device: SignedInDevice, start: StreamCursors): AsyncGenerator<string> {
  // A snapshot a page and not one for all: a slow reader must hold up neither the database nor its vacuum.
  const read = (at: StreamCursors): ReturnType<typeof readPage> => {
    const page = inSnapshot(db, (tx) => readPage(tx, device.userId, at));
    // It is awaited below, unless the reader goes away before.
    page.catch(() => undefined);
    return page;
  };
  let coming = read(start);
  for (;;) {
    const page = await coming;
    if (page === null) break;
    const { next, tables } = page;
    // The next page is read while this one is on its way.
    coming = read(next);
    yield `{"type":"page","userId":"${device.userId}","tables":${tables},"next":${JSON.stringify(next)}}\n`;
  }
  yield '{"type":"end"}\n';
}

const inSnapshot = <Value>(db: Database, work: (tx: Database) => Promise<Value>): Promise<Value> =>
  db.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' });

/** A device that has nothing begins at the newest and goes back; one that has seen what is no more begins again. */
async function firstCursors(
  tx: Database,
  { userId, deviceId }: SignedInDevice,
  { cursors, answeredSeq }: StreamRequest,
): Promise<StreamCursors> {
  const [known] = await tx.select({ lastSeq: devices.lastSeq }).from(devices).where(eq(devices.deviceId, deviceId));
  const own = await readScope(tx, userScope(userId));
  const reason = resyncReason(own, { user: cursors.user, isBehind: answeredSeq > (known?.lastSeq ?? 0) });
  if (reason !== null) throw failure('sync.resync', { detail: reason });
  const catalogue = await readScope(tx, CATALOGUE_SCOPE);
  const fresh = { catalogue: cursors.catalogue > catalogue.version ? 0 : cursors.catalogue };
  return cursors.user === 0 && cursors.older === null
    ? { ...fresh, user: own.version, older: own.version + 1 }
    : { ...cursors, ...fresh };
}

/** `isBehind`: the server knows less of this device's changes than it has confirmed. */
function resyncReason(own: ScopeState, at: { user: number; isBehind: boolean }): ResyncReason | null {
  if (at.isBehind || at.user > own.version) return 'lost';
  return at.user > 0 && at.user < own.floor ? 'purged' : null;
}

async function readPage(
  tx: Database,
  userId: string,
  at: StreamCursors,
): Promise<{ tables: string; next: StreamCursors } | null> {
  const catalogue = await readScope(tx, CATALOGUE_SCOPE);
  const shared = await readWithin(tx, null, { from: at.catalogue + 1, to: catalogue.version, newestFirst: false });
  if (shared !== null) return { tables: shared.tables, next: { ...at, catalogue: shared.range.to } };
  const own = await readScope(tx, userScope(userId));
  const newer = await readWithin(tx, userId, { from: at.user + 1, to: own.version, newestFirst: false });
  if (newer !== null) return { tables: newer.tables, next: { ...at, user: newer.range.to } };
  if (at.older === null) return null;
  const older = await readWithin(tx, userId, { from: 1, to: at.older - 1, newestFirst: true });
  const left = older === null || !older.range.more ? null : older.range.from;
  // The last page may be empty; it says that nothing older is to come.
  return { tables: older?.tables ?? '[]', next: { ...at, older: left } };
}

async function readWithin(
  tx: Database,
  owner: Owner,
  within: VersionRange,
): Promise<{ tables: string; range: VersionRange & { more: boolean } } | null> {
  const range = await nextRange(tx, owner, {
    within,
    limits: { rows: PAGE_ROWS, storedBytes: PAGE_STORED_BYTES },
  });
  return range === null ? null : { range, tables: tablesJson(await readRange(tx, owner, range)) };
}

/** Where a learner's scopes stand now. */
export async function readPoke(db: Database, userId: string): Promise<Poke> {
  const [user, catalogue] = [await readScope(db, userScope(userId)), await readScope(db, CATALOGUE_SCOPE)];
  return { user: user.version, catalogue: catalogue.version };
}
