/** Everything that a device has not seen, a page a line, for as long as it reads: catalogue, what is new, then what is older. */
import { MAX_ROWS_PER_PAGE, type Poke, type StreamCursors } from '@parley/contract';
import { type SignedInDevice, userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { failure } from '../failure.ts';
import { judgeStream, readDevice, readEpoch, rememberEpoch, renewScopeEpoch } from './epoch.ts';
import { NEVER_WRITTEN, nextRange, PAGE_BYTES, type PageRange, readScopeStates, type ScopeState } from './pages.ts';
import { hasStaleConversations, refreshConversations } from './project-sessions.ts';
import type { ReadStream } from './read-request.ts';
import type { ReadAhead } from './read-ahead.ts';
import {
  planPortions,
  type Reader,
  readPortion,
  readRange,
  type RowPortion,
  tablesJson,
  type VersionRange,
} from './wire-rows.ts';

export const CATALOGUE_SCOPE = 'catalogue';

/** The first page is small, so that a screen fills at once and the device is at work while the next is read; each may be twice the last. */
const FIRST_PAGE_ROWS = 250;

export interface StreamParts {
  db: Database;
  now: () => Date;
  /** Told when a learner's devices are to compare all that they hold with the server. */
  onEpochChanged: (change: { userId: string; reason: string }) => void;
  readAhead: ReadAhead;
}

/** Lines of NDJSON. What speaks against the request is thrown before the first line. */
export async function openStream(
  parts: StreamParts,
  device: SignedInDevice,
  request: ReadStream,
): Promise<AsyncGenerator<string>> {
  const { db, onEpochChanged } = parts;
  if (request.deviceId !== device.deviceId) throw failure('auth.forbidden', { field: 'deviceId' });
  const { userId } = device;
  const reader = { owner: userId, protocol: request.protocol };
  const begun = await inSnapshotOf(parts, reader, async (tx) => {
    const scopes = await readScopes(tx, userId);
    const known = await readDevice(tx, device, scopes.own);
    const resync = judgeStream(request, known, scopes.own);
    if (resync !== null) return { resync, known, page: null };
    const at = firstCursors(request.cursors, scopes);
    return { resync, known, page: await readPage(tx, reader, { scopes, at, rows: FIRST_PAGE_ROWS }) };
  });
  if (begun.resync !== null) {
    const { detail, evidence } = begun.resync;
    if (evidence !== null) {
      await renewScopeEpoch(db, userId);
      onEpochChanged({ userId, reason: evidence });
    }
    throw failure('sync.resync', { detail });
  }
  await rememberEpoch(db, request, begun.known);
  return linesFrom(parts, reader, { epoch: begun.known.current, first: begun.page });
}

type LearnerReader = Reader & { owner: string };

async function* linesFrom(
  parts: StreamParts,
  reader: LearnerReader,
  { epoch, first }: { epoch: string; first: Page | null },
): AsyncGenerator<string> {
  // A snapshot a page and not one for all: a slow reader must hold up neither the database nor its vacuum.
  let rows = FIRST_PAGE_ROWS;
  const read = (at: StreamCursors): Promise<Page | null | 'another epoch'> => {
    rows = Math.min(2 * rows, MAX_ROWS_PER_PAGE);
    const page = inEpoch((tx, scopes) => readPage(tx, reader, { scopes, at, rows }));
    // It is awaited below, unless the reader goes away before.
    page.catch(() => undefined);
    return page;
  };
  const inEpoch = <Value>(work: (tx: Database, scopes: Scopes) => Promise<Value>): Promise<Value | 'another epoch'> =>
    inSnapshotOf(parts, reader, async (tx) => {
      const scopes = await readScopes(tx, reader.owner);
      return (await readEpoch(tx, scopes.own)) === epoch ? work(tx, scopes) : 'another epoch';
    });
  const told = reader.protocol === 3 ? `"epoch":${JSON.stringify(epoch)},` : '';
  let page: Page | null | 'another epoch' = first;
  while (page !== null) {
    // Without its end the stream counts as cut off: the device asks again, and is told.
    if (page === 'another epoch') return;
    const { next, at, portions, more }: Page = page;
    // The next page is read while this one is on its way, as long as few wait for their readers.
    const isAhead: boolean = more && parts.readAhead.begin();
    const coming: ReturnType<typeof read> | null = isAhead ? read(next) : null;
    try {
      // Only with its last portion has a page arrived.
      for (const [index, portion] of portions.entries()) {
        const tables = typeof portion === 'string' ? portion : await inEpoch((tx) => portionJson(tx, portion));
        if (tables === 'another epoch') return;
        const cursors = JSON.stringify(index === portions.length - 1 ? next : at);
        yield `{"type":"page",${told}"userId":"${reader.owner}","tables":${tables},"next":${cursors}}\n`;
      }
    } finally {
      if (isAhead) parts.readAhead.end();
    }
    page = more ? await (coming ?? read(next)) : null;
  }
  yield reader.protocol === 3 ? `{"type":"end","epoch":${JSON.stringify(epoch)}}\n` : '{"type":"end"}\n';
}

/** One state of the database. An app of protocol 2 reads conversations: in that state all of its learner's are computed. */
async function inSnapshotOf<Value>(
  { db, now }: Pick<StreamParts, 'db' | 'now'>,
  { owner, protocol }: LearnerReader,
  work: (tx: Database) => Promise<Value>,
): Promise<Value> {
  for (;;) {
    const read = await db.transaction(
      async (tx) => (protocol === 2 && (await hasStaleConversations(tx, owner)) ? null : { value: await work(tx) }),
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    );
    if (read !== null) return read.value;
    await refreshConversations(db, owner, now);
  }
}

interface Scopes {
  own: ScopeState;
  catalogue: ScopeState;
}

async function readScopes(tx: Database, userId: string): Promise<Scopes> {
  const [own, catalogue] = await readScopeStates(tx, [userScope(userId), CATALOGUE_SCOPE]);
  return { own: own ?? NEVER_WRITTEN, catalogue: catalogue ?? NEVER_WRITTEN };
}

/** A device that has nothing begins at the newest and goes back. */
function firstCursors(cursors: StreamCursors, scopes: Scopes): StreamCursors {
  const fresh = { catalogue: cursors.catalogue > scopes.catalogue.version ? 0 : cursors.catalogue };
  return cursors.user === 0 && cursors.older === null
    ? { ...fresh, user: scopes.own.version, older: scopes.own.version + 1 }
    : { ...cursors, ...fresh };
}

interface Page {
  at: StreamCursors;
  next: StreamCursors;
  /** The JSON text of its tables; of a version that is too large for a line, what is still to be read of it, line by line. */
  portions: (string | UnreadPortion)[];
  /** Whether there was more behind it when it was read; what comes later is told by a poke. */
  more: boolean;
}

interface UnreadPortion extends RowPortion {
  reader: Reader;
  range: VersionRange;
}

const portionJson = async (tx: Database, portion: UnreadPortion): Promise<string> =>
  tablesJson(await readPortion(tx, portion.reader, portion), portion.reader.protocol);

/** Null when the device has everything. */
async function readPage(
  tx: Database,
  reader: Reader,
  { scopes: { catalogue, own }, at, rows }: { scopes: Scopes; at: StreamCursors; rows: number },
): Promise<Page | null> {
  const hasNewer = at.user < own.version;
  const shared = await readWithin(
    tx,
    { ...reader, owner: null },
    {
      within: { from: at.catalogue + 1, to: catalogue.version, newestFirst: false },
      rows,
    },
  );
  if (shared !== null)
    return {
      at,
      portions: shared.portions,
      next: { ...at, catalogue: shared.range.to },
      more: shared.range.more || hasNewer || at.older !== null,
    };
  const newer = await readWithin(tx, reader, {
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
      : await readWithin(tx, reader, { within: { from: 1, to: at.older - 1, newestFirst: true }, rows });
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
  reader: Reader,
  { within, rows }: { within: VersionRange; rows: number },
): Promise<(Pick<Page, 'portions'> & { range: PageRange }) | null> {
  const range = await nextRange(tx, reader, {
    within,
    limits: { rows, bytes: PAGE_BYTES },
  });
  if (range === null) return null;
  if (!range.isOversized) return { range, portions: [tablesJson(await readRange(tx, reader, range), reader.protocol)] };
  const portions = await planPortions(tx, reader, { range, bytes: PAGE_BYTES });
  return { range, portions: portions.map((portion) => ({ ...portion, reader, range })) };
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
