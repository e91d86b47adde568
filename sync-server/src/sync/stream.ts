/** Everything that a device has not seen, a page a line, for as long as it reads: catalogue, what is new, then what is older. */
import type { Poke, ResyncReason, StreamCursors, StreamRequest } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { type SignedInDevice, userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { devices } from '../db/tables.ts';
import { failure } from '../failure.ts';
import {
  NEVER_WRITTEN,
  nextRange,
  PAGE_STORED_BYTES,
  type PageRange,
  readScopeStates,
  type ScopeState,
} from './pages.ts';
import { requireKnownProtocol } from './protocol-version.ts';
import { CATALOGUE_SCOPE } from './pull.ts';
import { type Owner, readPortions, readRange, tablesJson, type VersionRange } from './wire-rows.ts';

/** The first page is small, so that a screen fills at once and the device is at work while the next is read; each may be twice the last. */
const FIRST_PAGE_ROWS = 250;
const PAGE_ROWS = 2_000;

/** Lines of NDJSON. What speaks against the request is thrown before the first line. */
export async function openStream(
  { db }: { db: Database },
  device: SignedInDevice,
  request: StreamRequest,
): Promise<AsyncGenerator<string>> {
  requireKnownProtocol(request.protocol);
  if (request.deviceId !== device.deviceId) throw failure('auth.forbidden', { field: 'deviceId' });
  const first = await inSnapshot(db, async (tx) => {
    const scopes = await readScopes(tx, device.userId);
    const at = await firstCursors(tx, device, { request, scopes });
    return readPage(tx, device.userId, { scopes, at, rows: FIRST_PAGE_ROWS });
  });
  return linesFrom(db, device, first);
}

async function* linesFrom(db: Database, device: SignedInDevice, first: Page | null): AsyncGenerator<string> {
  // A snapshot a page and not one for all: a slow reader must hold up neither the database nor its vacuum.
  let rows = FIRST_PAGE_ROWS;
  const read = (at: StreamCursors): Promise<Page | null> => {
    rows = Math.min(2 * rows, PAGE_ROWS);
    const page = inSnapshot(db, async (tx) =>
      readPage(tx, device.userId, { scopes: await readScopes(tx, device.userId), at, rows }),
    );
    // It is awaited below, unless the reader goes away before.
    page.catch(() => undefined);
    return page;
  };
  let page = first;
  while (page !== null) {
    const { next, at, portions } = page;
    // The next page is read while this one is on its way.
    const coming: Promise<Page | null> = page.more ? read(next) : Promise.resolve(null);
    // Only with its last portion has a page arrived.
    for (const [index, tables] of portions.entries()) {
      const cursors = JSON.stringify(index === portions.length - 1 ? next : at);
      yield `{"type":"page","userId":"${device.userId}","tables":${tables},"next":${cursors}}\n`;
    }
    page = await coming;
  }
  yield '{"type":"end"}\n';
}

const inSnapshot = <Value>(db: Database, work: (tx: Database) => Promise<Value>): Promise<Value> =>
  db.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' });

interface Scopes {
  own: ScopeState;
  catalogue: ScopeState;
}

async function readScopes(tx: Database, userId: string): Promise<Scopes> {
  const [own, catalogue] = await readScopeStates(tx, [userScope(userId), CATALOGUE_SCOPE]);
  return { own: own ?? NEVER_WRITTEN, catalogue: catalogue ?? NEVER_WRITTEN };
}

/** A device that has nothing begins at the newest and goes back; one that has seen what is no more begins again. */
async function firstCursors(
  tx: Database,
  { deviceId }: SignedInDevice,
  { request: { cursors, answeredSeq }, scopes }: { request: StreamRequest; scopes: Scopes },
): Promise<StreamCursors> {
  const [known] = await tx.select({ lastSeq: devices.lastSeq }).from(devices).where(eq(devices.deviceId, deviceId));
  const reason = resyncReason(scopes.own, { user: cursors.user, isBehind: answeredSeq > (known?.lastSeq ?? 0) });
  if (reason !== null) throw failure('sync.resync', { detail: reason });
  const fresh = { catalogue: cursors.catalogue > scopes.catalogue.version ? 0 : cursors.catalogue };
  return cursors.user === 0 && cursors.older === null
    ? { ...fresh, user: scopes.own.version, older: scopes.own.version + 1 }
    : { ...cursors, ...fresh };
}

/** `isBehind`: the server knows less of this device's changes than it has confirmed. */
function resyncReason(own: ScopeState, at: { user: number; isBehind: boolean }): ResyncReason | null {
  if (at.isBehind || at.user > own.version) return 'lost';
  return at.user > 0 && at.user < own.floor ? 'purged' : null;
}

interface Page {
  at: StreamCursors;
  next: StreamCursors;
  /** The JSON text of its tables: one, but for a version that is too large for a line. */
  portions: string[];
  /** Whether there was more behind it when it was read; what comes later is told by a poke. */
  more: boolean;
}

/** Null when the device has everything. */
async function readPage(
  tx: Database,
  userId: string,
  { scopes: { catalogue, own }, at, rows }: { scopes: Scopes; at: StreamCursors; rows: number },
): Promise<Page | null> {
  const hasNewer = at.user < own.version;
  const shared = await readWithin(tx, null, {
    within: { from: at.catalogue + 1, to: catalogue.version, newestFirst: false },
    rows,
  });
  if (shared !== null)
    return {
      at,
      portions: shared.portions,
      next: { ...at, catalogue: shared.range.to },
      more: shared.range.more || hasNewer || at.older !== null,
    };
  const newer = await readWithin(tx, userId, {
    within: { from: at.user + 1, to: own.version, newestFirst: false },
    rows,
  });
  if (newer !== null)
    return {
      at,
      portions: newer.portions,
      next: { ...at, user: newer.range.to },
      more: newer.range.more || at.older !== null,
    };
  if (at.older === null && !hasNewer) return null;
  const older =
    at.older === null
      ? null
      : await readWithin(tx, userId, { within: { from: 1, to: at.older - 1, newestFirst: true }, rows });
  const left = older === null || !older.range.more ? null : older.range.from;
  // A page may be empty: it says that nothing older is to come, or that all that was newer is deleted and forgotten.
  return {
    at,
    portions: older?.portions ?? ['[]'],
    next: { ...at, user: own.version, older: left },
    more: left !== null,
  };
}

async function readWithin(
  tx: Database,
  owner: Owner,
  { within, rows }: { within: VersionRange; rows: number },
): Promise<{ portions: string[]; range: PageRange } | null> {
  const range = await nextRange(tx, owner, {
    within,
    limits: { rows, storedBytes: PAGE_STORED_BYTES },
  });
  if (range === null) return null;
  if (!range.isOversized) return { range, portions: [tablesJson(await readRange(tx, owner, range))] };
  const portions: string[] = [];
  for await (const parts of readPortions(tx, owner, { range, storedBytes: PAGE_STORED_BYTES }))
    portions.push(tablesJson(parts));
  return { range, portions };
}

/** Where a learner's scopes stand now. */
export async function readPoke(db: Database, userId: string): Promise<Poke> {
  const { own, catalogue } = await readScopes(db, userId);
  return { user: own.version, catalogue: catalogue.version };
}

export async function readCatalogueVersion(db: Database): Promise<number> {
  const [catalogue] = await readScopeStates(db, [CATALOGUE_SCOPE]);
  return (catalogue ?? NEVER_WRITTEN).version;
}
