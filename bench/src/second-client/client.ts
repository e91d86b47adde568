/**
 * Implements the sync protocol a second time from docs/protocol.md alone, without any code of the product. It keeps everything in
 * memory, and takes part in the torture test as one more device.
 */
import { randomUUID } from 'node:crypto';
import { createConnection } from './connection.ts';
import { type Conversation, buildConversation } from './conversation.ts';
import type { Change, Cursors, Outcome, Page, PushResponse, TableRows } from './messages.ts';
import { CATALOGUE_KEYS, type Clocks, merge, type Row, settableFields, TABLES, type Version } from './merge-rules.ts';

export interface RejectedChange {
  change: Change;
  code: string;
  /** Only the refused fields; the others were applied. */
  fields: Row;
}

export type SyncState = 'idle' | 'unfinished' | 'offline' | 'signed_out' | 'must_update';

export interface SecondClient {
  readonly userId: string;
  readonly deviceId: string;
  register: () => Promise<void>;
  join: (code: string) => Promise<void>;
  /** Creates a code with which another device joins the account. */
  createLinkCode: () => Promise<string>;
  /** What the learner sees: the server rows with the unsent changes on top, by table and key. */
  rows: () => Map<string, Row>;
  conversation: (sessionId: string) => Conversation;
  row: (table: string, rowId: string) => Row | undefined;
  readonly catalogue: ReadonlyMap<string, number>;
  edit: (table: string, rowId: string, fields: Row) => Change;
  remove: (table: string, rowId: string) => Change;
  sync: () => Promise<SyncState>;
  readonly pendingChanges: readonly Change[];
  /** Refused changes, which the learner must be shown. */
  readonly setAside: readonly RejectedChange[];
  /** Rows that this client could not interpret, unchanged. */
  readonly unreadableRows: ReadonlyMap<string, Row>;
}

interface ServerVersion extends Version {
  syncVersion: number;
}
interface Resync {
  reason: 'epoch' | 'purged';
  /** The rows and clocks that this device had before the resync. */
  copies: Map<string, Version>;
  receivedKeys: Set<string>;
}
const PROTOCOL = 3;
const MAX_CHANGES = 500;
/** Leaves room for the rest of the request. */
const MAX_PUSH_BYTES = 1_000_000;
const MAX_ROUNDS = 12;
const MAX_BATCH_FAILURES = 3;
const INITIAL_CURSORS: Cursors = { catalogue: 0, user: 0, older: null };

export function createSecondClient(options: { url: string; now: () => number }): SecondClient {
  const connection = createConnection(options.url);
  let deviceId: string = randomUUID();
  let userId: string = randomUUID();
  let lastMs = 0;
  let counter = 0;
  let epoch: string | null = null;
  let cursors = INITIAL_CURSORS;
  /** Null when the server must be asked for its last number and changes are renumbered. */
  let answeredSeq: number | null = 0;
  let outbox: Change[] = [];
  let resync: Resync | null = null;
  let serverErrors = 0;
  const serverRows = new Map<string, ServerVersion>();
  const catalogue = new Map<string, number>();
  const unreadableRows = new Map<string, Row>();
  const setAside: RejectedChange[] = [];

  const keyOf = (table: string, rowId: string): string => `${table} ${rowId}`;
  const clockMs = (): number => Math.max(options.now(), lastMs);

  function nextTime(): string {
    const ms = clockMs();
    counter = ms === lastMs ? counter + 1 : 0;
    if (counter > 0xffff) [lastMs, counter] = [ms + 1, 0];
    else lastMs = ms;
    return `${String(lastMs).padStart(13, '0')}-${counter.toString(16).padStart(4, '0')}-${deviceId}`;
  }

  // The visible rows.

  const toVersion = ({ op, fields, at, clocks }: Change): Version => {
    if (op === 'restore') return { fields, clocks: clocks ?? {} };
    if (op === 'delete') return { fields: { deletedAt: timeOf(at) }, clocks: { deletedAt: at } };
    return { fields, clocks: Object.fromEntries(Object.keys(fields).map((name) => [name, at])) };
  };

  /** An unsent edit wins over everything that this device has seen, whatever the clocks say. */
  function applyOnTop(table: string, version: Version | undefined, change: Change): Version | undefined {
    const incoming = toVersion(change);
    if (version === undefined) return change.op === 'delete' ? undefined : withDefaults(incoming);
    if (change.op === 'restore') return merge(table, version, incoming);
    const older = Object.fromEntries(Object.keys(version.clocks).map((name) => [name, '']));
    const merged = merge(table, { fields: version.fields, clocks: older }, incoming);
    const clocks = { ...version.clocks };
    for (const name of Object.keys(incoming.clocks)) clocks[name] = change.at;
    const deletedAt = change.op === 'delete' ? timeOf(change.at) : null;
    return { fields: { ...merged.fields, deletedAt }, clocks };
  }

  const withDefaults = ({ fields, clocks }: Version): Version => ({ fields: { deletedAt: null, ...fields }, clocks });

  function visibleVersion(key: string, changes: readonly Change[] = outbox): Version | undefined {
    const [table = '', rowId = ''] = key.split(' ');
    const copy = resync?.reason === 'epoch' ? resync.copies.get(key) : undefined;
    const server: Version | undefined = serverRows.get(key);
    const start = server === undefined || copy === undefined ? (server ?? copy) : merge(table, server, copy);
    return changes
      .filter((change) => change.table === table && change.rowId === rowId)
      .reduce<Version | undefined>((version, change) => applyOnTop(table, version, change), start);
  }

  function rows(): Map<string, Row> {
    const keys = [
      ...serverRows.keys(),
      ...(resync?.copies.keys() ?? []),
      ...outbox.map((c) => keyOf(c.table, c.rowId)),
    ];
    return new Map(
      [...new Set(keys)].flatMap((key): [string, Row][] => {
        const version = visibleVersion(key);
        return version === undefined ? [] : [[key, { ...version.fields, fieldClocks: version.clocks }]];
      }),
    );
  }

  function enqueue(change: Pick<Change, 'table' | 'rowId' | 'op' | 'fields'>): Change {
    const base = serverRows.get(keyOf(change.table, change.rowId))?.syncVersion ?? 0;
    const queued = { ...change, id: randomUUID(), at: nextTime(), base };
    outbox.push(queued);
    return queued;
  }

  // Push.

  function takeBatch(isSingle: boolean): Change[] {
    let bytes = 0;
    const fits = outbox.slice(0, isSingle ? 1 : MAX_CHANGES).findIndex((change) => {
      bytes += Buffer.byteLength(JSON.stringify(change)) + 20;
      return bytes > MAX_PUSH_BYTES;
    });
    return outbox.slice(0, fits === -1 ? (isSingle ? 1 : MAX_CHANGES) : Math.max(1, fits));
  }

  async function push(): Promise<SyncState> {
    const isSingle = serverErrors >= MAX_BATCH_FAILURES;
    const from = answeredSeq;
    const batch = from === null ? [] : takeBatch(isSingle);
    const mutations = batch.map((change, index) => ({ ...change, deviceSeq: (from ?? 0) + index + 1 }));
    const now = new Date(clockMs()).toISOString();
    const answer = await connection.post('/v1/sync/push', { protocol: PROTOCOL, deviceId, epoch, now, mutations });
    if (answer.status === 200) {
      serverErrors = 0;
      applyPushResponse(answer.body as PushResponse, batch);
      return 'unfinished';
    }
    // A load balancer's 502 says nothing about the changes; an error from the server itself has a code.
    if (answer.status >= 500 && answer.code !== null && batch.length > 0) {
      serverErrors += 1;
      const [first] = batch;
      if (isSingle && serverErrors >= 2 * MAX_BATCH_FAILURES && first !== undefined) quarantine(first, answer.code);
    }
    return handleFailure(answer);
  }

  /** The server may have applied the change despite the error, so its last number is requested before the next push. */
  function quarantine(change: Change, code: string): void {
    setAside.push({ change, code, fields: change.fields });
    outbox = outbox.filter((queued) => queued !== change);
    serverErrors = 0;
    answeredSeq = null;
  }

  function applyPushResponse(answer: PushResponse, batch: readonly Change[]): void {
    epoch ??= answer.epoch;
    answeredSeq = answer.lastSeq;
    if (batch.length === 0) return;
    const byId = new Map(batch.map((change) => [change.id, change]));
    for (const outcome of answer.outcomes) {
      const change = byId.get(outcome.id);
      if (change === undefined) continue;
      outbox = outbox.filter((queued) => queued !== change);
      if (outcome.status === 'applied') applyOutcome(change, outcome, answer);
      if (outcome.status === 'rejected') setAside.push({ change, code: outcome.code ?? '', fields: change.fields });
      const refused = (outcome.refused ?? []).map(({ field }) => [field, change.fields[field]]);
      const [first] = outcome.refused ?? [];
      if (first !== undefined) setAside.push({ change, code: first.code, fields: Object.fromEntries(refused) });
    }
    for (const tableRows of answer.rows) applyRows(tableRows);
    if (cursors.user === answer.previousVersion) cursors = { ...cursors, user: answer.userVersion };
  }

  function applyOutcome(change: Change, { at = change.at }: Outcome, answer: PushResponse): void {
    const key = keyOf(change.table, change.rowId);
    const before = serverRows.get(key);
    const applied = { ...change, at };
    const after = applyOnTop(change.table, before, applied);
    if (after === undefined) return;
    const isNew = before === undefined && change.op === 'upsert';
    serverRows.set(key, {
      fields: {
        ...after.fields,
        ...(after.fields['deletedAt'] === null ? {} : { deletedAt: answer.at }),
        updatedAt: answer.at,
        syncVersion: answer.userVersion,
      },
      clocks: isNew ? { '*': at } : after.clocks,
      syncVersion: answer.userVersion,
    });
  }

  // Stream.

  async function stream(): Promise<SyncState> {
    const request = { protocol: PROTOCOL, deviceId, epoch, cursors, answeredSeq: answeredSeq ?? 0 };
    let isWhole = false;
    const answer = await connection.readLines('/v1/sync/stream', request, (line) => {
      const { type } = line as { type: string };
      if (type === 'end') isWhole = true;
      else applyPage(line as Page);
    });
    if (answer.status !== 200) return handleFailure(answer);
    if (!isWhole) return 'offline';
    if (resync !== null) finishResync(resync);
    return outbox.length === 0 ? 'idle' : 'unfinished';
  }

  function applyPage(page: Page): void {
    if (page.userId !== userId) throw new Error('the token was moved to another account');
    epoch = page.epoch;
    for (const tableRows of page.tables) applyRows(tableRows);
    cursors = page.next;
  }

  function applyRows({ table, fields, rows: values }: TableRows): void {
    const rules = TABLES[table];
    const catalogueKey = CATALOGUE_KEYS[table];
    for (const list of values) {
      const row: Row = Object.fromEntries(fields.map((name, index) => [name, list[index]]));
      if (catalogueKey !== undefined)
        catalogue.set(keyOf(table, String(row[catalogueKey])), Number(row['syncVersion']));
      if (rules !== undefined) applyRow(keyOf(table, String(row[rules.key])), row);
    }
  }

  function applyRow(key: string, { fieldClocks, ...fields }: Row): void {
    const { syncVersion } = fields;
    if (typeof syncVersion !== 'number' || typeof fieldClocks !== 'object' || fieldClocks === null)
      return void unreadableRows.set(key, { ...fields, fieldClocks });
    resync?.receivedKeys.add(key);
    if (syncVersion < (serverRows.get(key)?.syncVersion ?? 0)) return;
    serverRows.set(key, { fields, clocks: fieldClocks as Clocks, syncVersion });
  }

  // Resync.

  function startResync(reason: Resync['reason']): void {
    cursors = INITIAL_CURSORS;
    if (reason === 'purged') {
      resync ??= { reason, copies: new Map(), receivedKeys: new Set() };
      return;
    }
    epoch = null;
    answeredSeq = null;
    const copies = new Map(resync?.reason === 'epoch' ? resync.copies : []);
    const keepCopy = (key: string, version: Version): void => {
      const copy = copies.get(key);
      copies.set(key, copy === undefined ? version : merge(key.split(' ')[0] ?? '', copy, version));
    };
    for (const [key, version] of serverRows) keepCopy(key, version);
    for (const change of outbox.filter(({ op }) => op === 'restore'))
      keepCopy(keyOf(change.table, change.rowId), toVersion(change));
    serverRows.clear();
    outbox = outbox.filter(({ op }) => op !== 'restore').map((change) => ({ ...change, base: 0 }));
    resync = { reason, copies, receivedKeys: new Set() };
  }

  function finishResync({ reason, copies, receivedKeys }: Resync): void {
    resync = null;
    if (reason === 'purged') {
      const unsent = new Set(outbox.map(({ table, rowId }) => keyOf(table, rowId)));
      for (const key of serverRows.keys()) if (!receivedKeys.has(key) && !unsent.has(key)) serverRows.delete(key);
      return;
    }
    const tables = Object.keys(TABLES);
    const restores = [...copies].flatMap(([key, copy]): Change[] => {
      const [table = '', rowId = ''] = key.split(' ');
      if (TABLES[table]?.isReadOnly === true || !isMissingOnServer(table, serverRows.get(key), copy)) return [];
      const names = settableFields(table).filter((name) => name in copy.fields);
      const fields = Object.fromEntries(names.map((name) => [name, copy.fields[name]]));
      return [{ id: randomUUID(), table, rowId, op: 'restore', fields, at: nextTime(), base: 0, clocks: copy.clocks }];
    });
    restores.sort((a, b) => tables.indexOf(a.table) - tables.indexOf(b.table));
    outbox = [...restores, ...outbox];
  }

  function isMissingOnServer(table: string, server: ServerVersion | undefined, copy: Version): boolean {
    if (server === undefined) return true;
    const merged = merge(table, server, copy);
    const names = [...settableFields(table)];
    const isAlive = merged.fields['deletedAt'] === null;
    return (
      isAlive !== (server.fields['deletedAt'] === null) ||
      names.some((name) => JSON.stringify(merged.fields[name]) !== JSON.stringify(server.fields[name]))
    );
  }

  function handleFailure({ status, code, detail }: { status: number; code: string | null; detail: string | null }) {
    if (status === 410) {
      startResync(detail === 'purged' ? 'purged' : 'epoch');
      return 'unfinished';
    }
    if (status === 401) return 'signed_out';
    return status === 426 && code === 'sync.protocol_too_old' ? 'must_update' : 'offline';
  }

  return {
    get userId() {
      return userId;
    },
    get deviceId() {
      return deviceId;
    },
    register: async () => {
      await connection.signIn('/v1/devices/register', { deviceId, userId });
    },
    join: async (code) => {
      ({ userId, deviceId } = await connection.signIn('/v1/devices/join', { deviceId, code }));
    },
    createLinkCode: async () => {
      const { status, body } = await connection.post('/v1/devices/link-code', {});
      if (status !== 200) throw new Error(`no code for another device: ${status}`);
      return (body as { code: string }).code;
    },
    rows,
    row: (table, rowId) => visibleVersion(keyOf(table, rowId))?.fields,
    conversation: (sessionId) =>
      buildConversation(
        sessionId,
        [...rows()].flatMap(([key, row]) => (key.startsWith('ai_conversations ') ? [row] : [])),
      ),
    catalogue,
    edit: (table, rowId, fields) => enqueue({ table, rowId, op: 'upsert', fields }),
    remove: (table, rowId) => enqueue({ table, rowId, op: 'delete', fields: {} }),
    sync: async () => {
      let state: SyncState = 'unfinished';
      for (let round = 0; round < MAX_ROUNDS && state === 'unfinished'; round += 1) {
        const mayPush = resync === null && (outbox.length > 0 || answeredSeq === null);
        state = mayPush ? await push() : await stream();
      }
      return state;
    },
    get pendingChanges() {
      return outbox;
    },
    setAside,
    unreadableRows,
  };
}

const timeOf = (at: string): string => new Date(Number(at.slice(0, 13))).toISOString();
