/** Streams everything that a device has not seen, one page per line: the catalogue, then new rows, then older ones. */
import { MAX_ROWS_PER_PAGE, type Poke, type SessionTurns, type StreamCursors } from '@parley/contract';
import { type SignedInDevice, userScope } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { DomainError } from '../../domain-error.ts';
import {
  decideResync,
  isSignedIn,
  readDevice,
  readEpoch,
  recordStartEpoch,
  renewScopeEpoch,
} from '../restore/epoch.ts';
import { NEVER_WRITTEN, nextRange, PAGE_BYTES, type PageRange, readScopeStates, type ScopeState } from './pages.ts';
import { hasStaleConversations, refreshConversations } from '../turns/project-conversations.ts';
import type { ParsedStreamRequest } from '../parse-request.ts';
import type { PrefetchLimiter } from './prefetch-limiter.ts';
import {
  countTurns,
  splitIntoPortions,
  type Reader,
  readPortion,
  readRange,
  type RowPortion,
  tablesJson,
  type VersionRange,
} from '../rows/wire-rows.ts';

export const CATALOGUE_SCOPE = 'catalogue';

/**
 * The first page is small, so that the device can show it while the next is being read; each page may have twice as
 * many rows as the previous one.
 */
const FIRST_PAGE_ROWS = 250;

export interface StreamParts {
  db: Database;
  now: () => Date;
  /** Called when a learner's devices must compare all their rows with the server. */
  onEpochChanged: (change: { userId: string; reason: string }) => void;
  readAhead: PrefetchLimiter;
}

/** Yields lines of NDJSON. An invalid request throws before the first line. */
export async function openStream(
  parts: StreamParts,
  device: SignedInDevice,
  request: ParsedStreamRequest,
): Promise<AsyncGenerator<string>> {
  const { db, onEpochChanged } = parts;
  if (request.deviceId !== device.deviceId) throw new DomainError('auth.forbidden', { field: 'deviceId' });
  const { userId } = device;
  const { protocol, leavesOutTurns } = request;
  const reader = { owner: userId, protocol, leavesOutTurns };
  const begun = await inSnapshot(parts, reader, async (tx) => {
    const scopes = await readScopes(tx, userId);
    const known = await readDevice(tx, device, scopes.own);
    const resync = decideResync(request, known, scopes.own);
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
    throw new DomainError('sync.resync', { detail });
  }
  await recordStartEpoch(db, request, begun.known);
  return streamLines(parts, reader, { device, epoch: begun.known.currentEpoch, first: begun.page });
}

type LearnerReader = Reader & { owner: string; leavesOutTurns: boolean };

async function* streamLines(
  parts: StreamParts,
  reader: LearnerReader,
  { device, epoch, first }: { device: SignedInDevice; epoch: string; first: Page | null },
): AsyncGenerator<string> {
  // Each page has its own snapshot, because a single one for a whole slow stream would hold back the database's vacuum.
  let rows = FIRST_PAGE_ROWS;
  const read = (at: StreamCursors): Promise<Page | null | 'over'> => {
    rows = Math.min(2 * rows, MAX_ROWS_PER_PAGE);
    const page = inEpoch((tx, scopes) => readPage(tx, reader, { scopes, at, rows }));
    // The page is awaited below, unless the reader disconnects first.
    page.catch(() => undefined);
    return page;
  };
  const inEpoch = <Value>(work: (tx: Database, scopes: Scopes) => Promise<Value>): Promise<Value | 'over'> =>
    inSnapshot(parts, reader, async (tx) => {
      const scopes = await readScopes(tx, reader.owner);
      const goesOn = (await readEpoch(tx, scopes.own)) === epoch && (await isSignedIn(tx, device));
      return goesOn ? work(tx, scopes) : 'over';
    });
  const epochField = reader.protocol === 3 ? `"epoch":${JSON.stringify(epoch)},` : '';
  let page: Page | null | 'over' = first;
  while (page !== null) {
    // A stream without its end line counts as interrupted, so the device makes a new request and learns of the new
    // epoch, or that it is signed out.
    if (page === 'over') return;
    const { next, at, portions, turns, hasMore }: Page = page;
    // The next page is prefetched while this one is sent, as long as few streams do so.
    const isAhead: boolean = hasMore && parts.readAhead.tryAcquire();
    const nextPage: ReturnType<typeof read> | null = isAhead ? read(next) : null;
    try {
      // The cursors advance only with the page's last portion. Before that, a device could not compare the turns that it has.
      for (const [index, portion] of portions.entries()) {
        const tables = typeof portion === 'string' ? portion : await inEpoch((tx) => portionJson(tx, portion));
        if (tables === 'over') return;
        const isLast = index === portions.length - 1;
        const cursors = JSON.stringify(isLast ? next : at);
        const turnsField = reader.leavesOutTurns ? `,"turns":${JSON.stringify(isLast ? turns : [])}` : '';
        yield `{"type":"page",${epochField}"userId":"${reader.owner}","tables":${tables},"next":${cursors}${turnsField}}\n`;
      }
    } finally {
      // A page that is still being read occupies a connection to the database, even if the device has disconnected.
      if (isAhead) void nextPage?.catch(() => undefined).finally(() => parts.readAhead.release());
    }
    page = hasMore ? await (nextPage ?? read(next)) : null;
  }
  yield reader.protocol === 3 ? `{"type":"end","epoch":${JSON.stringify(epoch)}}\n` : '{"type":"end"}\n';
}

/** Reads one state of the database. For protocol 2, all stale conversations of the learner are recomputed first. */
export async function inSnapshot<Value>(
  { db, now }: Pick<StreamParts, 'db' | 'now'>,
  { owner, protocol }: Pick<LearnerReader, 'owner' | 'protocol'>,
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

export interface Scopes {
  own: ScopeState;
  catalogue: ScopeState;
}

export async function readScopes(tx: Database, userId: string): Promise<Scopes> {
  const [own, catalogue] = await readScopeStates(tx, [userScope(userId), CATALOGUE_SCOPE]);
  return { own: own ?? NEVER_WRITTEN, catalogue: catalogue ?? NEVER_WRITTEN };
}

/** A device without any rows starts at the newest version and goes backwards. */
function firstCursors(cursors: StreamCursors, scopes: Scopes): StreamCursors {
  const fresh = { catalogue: cursors.catalogue > scopes.catalogue.version ? 0 : cursors.catalogue };
  return cursors.user === 0 && cursors.older === null
    ? { ...fresh, user: scopes.own.version, older: scopes.own.version + 1 }
    : { ...cursors, ...fresh };
}

interface Page {
  at: StreamCursors;
  next: StreamCursors;
  /** The JSON text of the page's tables, or, for a version larger than a line, portions that are read one line at a time. */
  portions: (string | UnreadPortion)[];
  /** The number of turns of the page's sessions, for a device that fetches the turns later. */
  turns: SessionTurns[];
  /** Whether more rows followed when the page was read; later changes cause a poke. */
  hasMore: boolean;
}

interface UnreadPortion extends RowPortion {
  reader: Reader;
  range: VersionRange;
}

const portionJson = async (tx: Database, portion: UnreadPortion): Promise<string> =>
  tablesJson(await readPortion(tx, portion.reader, portion), portion.reader.protocol);

/** Returns null when the device has everything. */
async function readPage(
  tx: Database,
  reader: LearnerReader,
  { scopes: { catalogue, own }, at, rows }: { scopes: Scopes; at: StreamCursors; rows: number },
): Promise<Page | null> {
  const whole = { ...reader, leavesOutTurns: false };
  const hasNewer = at.user < own.version;
  const shared = await readPortions(
    tx,
    { ...whole, owner: null },
    {
      within: { from: at.catalogue + 1, to: catalogue.version, newestFirst: false },
      rows,
    },
  );
  if (shared !== null)
    return {
      at,
      portions: shared.portions,
      turns: [],
      next: { ...at, catalogue: shared.range.to },
      hasMore: shared.range.hasMore || hasNewer || at.older !== null,
    };
  // Once a device has the older rows, it has been told about every session whose turns were left out.
  const mustCount = reader.leavesOutTurns && at.older !== null;
  const newer = await readPortions(tx, whole, {
    within: { from: at.user + 1, to: own.version, newestFirst: false },
    rows,
  });
  if (newer !== null)
    return {
      at,
      portions: newer.portions,
      turns: mustCount ? await countTurns(tx, whole, { range: newer.range, upTo: newer.range.to }) : [],
      next: { ...at, user: newer.range.to },
      hasMore: newer.range.hasMore || at.older !== null,
    };
  if (at.older === null && !hasNewer) return null;
  const older =
    at.older === null
      ? null
      : await readPortions(tx, reader, { within: { from: 1, to: at.older - 1, newestFirst: true }, rows });
  const left = older === null || !older.range.hasMore ? null : older.range.from;
  // An empty page tells the device that no older rows follow, or that newer ones were deleted and purged.
  return {
    at,
    portions: older?.portions ?? ['[]'],
    turns: mustCount && older !== null ? await countTurns(tx, whole, { range: older.range, upTo: own.version }) : [],
    next: { ...at, user: own.version, older: left },
    hasMore: left !== null,
  };
}

async function readPortions(
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
  const portions = await splitIntoPortions(tx, reader, { range, bytes: PAGE_BYTES });
  return { range, portions: portions.map((portion) => ({ ...portion, reader, range })) };
}

/** Returns the current versions of a learner's scopes. */
export async function readPoke(db: Database, userId: string): Promise<Poke> {
  const { own, catalogue } = await readScopes(db, userId);
  return { user: own.version, catalogue: catalogue.version };
}

export async function readCatalogueVersion(db: Database): Promise<number> {
  const [catalogue] = await readScopeStates(db, [CATALOGUE_SCOPE]);
  return (catalogue ?? NEVER_WRITTEN).version;
}
