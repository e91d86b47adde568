/**
 * A second client of the sync protocol, written from docs/protocol.md alone: it shares no code with the product. It keeps everything in
 * memory, and takes part in the torture test as one more device.
 */
import { randomUUID } from 'node:crypto';
import { createConnection } from './connection.ts';
import { type Conversation, conversationOf } from './conversation.ts';
import type { Change, Cursors, Outcome, Page, PushAnswer, TableRows } from './messages.ts';
import { CATALOGUE_KEYS, type Clocks, merge, type Row, settableFields, TABLES, type Version } from './rules.ts';

export interface SetAside {
  change: Change;
  code: string;
  /** Only the fields that were left out; the rest was taken in. */
  fields: Row;
}

export type SyncState = 'idle' | 'unfinished' | 'offline' | 'signed_out' | 'must_update';

export interface SecondClient {
  readonly userId: string;
  readonly deviceId: string;
  register: () => Promise<void>;
  join: (code: string) => Promise<void>;
  /** For the next device of the account. */
  createLinkCode: () => Promise<string>;
  /** What the learner sees: the server's rows with the unsent changes on top, by table and key. */
  rows: () => Map<string, Row>;
  conversation: (sessionId: string) => Conversation;
  row: (table: string, rowId: string) => Row | undefined;
  readonly catalogue: ReadonlyMap<string, number>;
  edit: (table: string, rowId: string, fields: Row) => Change;
  remove: (table: string, rowId: string) => Change;
  sync: () => Promise<SyncState>;
  readonly waiting: readonly Change[];
  /** To be shown to the learner. */
  readonly setAside: readonly SetAside[];
  /** As they came. */
  readonly unread: ReadonlyMap<string, Row>;
}

interface Held extends Version {
  syncVersion: number;
}
interface Resync {
  reason: 'epoch' | 'purged';
  /** Rows as this device held them, with their times. */
  copies: Map<string, Version>;
  come: Set<string>;
}
const PROTOCOL = 3;
const MAX_CHANGES = 500;
/** Leaves room for what stands around the changes. */
const MAX_PUSH_BYTES = 1_000_000;
const MAX_ROUNDS = 12;
const TRIES_TOGETHER = 3;
const NOTHING: Cursors = { catalogue: 0, user: 0, older: null };

export function createSecondClient(options: { url: string; now: () => number }): SecondClient {
  const connection = createConnection(options.url);
  let deviceId: string = randomUUID();
  let userId: string = randomUUID();
  let lastMs = 0;
  let counter = 0;
  let epoch: string | null = null;
  let cursors = NOTHING;
  /** Null: the server has to be asked, and changes get their numbers anew. */
  let answeredSeq: number | null = 0;
  let outbox: Change[] = [];
  let resync: Resync | null = null;
  let serverErrors = 0;
  const held = new Map<string, Held>();
  const catalogue = new Map<string, number>();
  const unread = new Map<string, Row>();
  const setAside: SetAside[] = [];

  const keyOf = (table: string, rowId: string): string => `${table} ${rowId}`;
  const clockMs = (): number => Math.max(options.now(), lastMs);

  function nextTime(): string {
    const ms = clockMs();
    counter = ms === lastMs ? counter + 1 : 0;
    if (counter > 0xffff) [lastMs, counter] = [ms + 1, 0];
    else lastMs = ms;
    return `${String(lastMs).padStart(13, '0')}-${counter.toString(16).padStart(4, '0')}-${deviceId}`;
  }

  // What the learner sees.

  const ofChange = ({ op, fields, at, clocks }: Change): Version => {
    if (op === 'restore') return { fields, clocks: clocks ?? {} };
    if (op === 'delete') return { fields: { deletedAt: timeOf(at) }, clocks: { deletedAt: at } };
    return { fields, clocks: Object.fromEntries(Object.keys(fields).map((name) => [name, at])) };
  };

  /** An unsent edit is newer than all that this device has seen, whatever the clocks say. */
  function putOnTop(table: string, version: Version | undefined, change: Change): Version | undefined {
    const comes = ofChange(change);
    if (version === undefined) return change.op === 'delete' ? undefined : completed(comes);
    if (change.op === 'restore') return merge(table, version, comes);
    const older = Object.fromEntries(Object.keys(version.clocks).map((name) => [name, '']));
    const merged = merge(table, { fields: version.fields, clocks: older }, comes);
    const clocks = { ...version.clocks };
    for (const name of Object.keys(comes.clocks)) clocks[name] = change.at;
    const deletedAt = change.op === 'delete' ? timeOf(change.at) : null;
    return { fields: { ...merged.fields, deletedAt }, clocks };
  }

  const completed = ({ fields, clocks }: Version): Version => ({ fields: { deletedAt: null, ...fields }, clocks });

  function seen(key: string, changes: readonly Change[] = outbox): Version | undefined {
    const [table = '', rowId = ''] = key.split(' ');
    const copy = resync?.reason === 'epoch' ? resync.copies.get(key) : undefined;
    const server: Version | undefined = held.get(key);
    const start = server === undefined || copy === undefined ? (server ?? copy) : merge(table, server, copy);
    return changes
      .filter((change) => change.table === table && change.rowId === rowId)
      .reduce<Version | undefined>((version, change) => putOnTop(table, version, change), start);
  }

  function rows(): Map<string, Row> {
    const keys = [...held.keys(), ...(resync?.copies.keys() ?? []), ...outbox.map((c) => keyOf(c.table, c.rowId))];
    return new Map(
      [...new Set(keys)].flatMap((key): [string, Row][] => {
        const version = seen(key);
        return version === undefined ? [] : [[key, { ...version.fields, fieldClocks: version.clocks }]];
      }),
    );
  }

  function queue(change: Pick<Change, 'table' | 'rowId' | 'op' | 'fields'>): Change {
    const base = held.get(keyOf(change.table, change.rowId))?.syncVersion ?? 0;
    const queued = { ...change, id: randomUUID(), at: nextTime(), base };
    outbox.push(queued);
    return queued;
  }

  // Push.

  function batchOf(isAlone: boolean): Change[] {
    let bytes = 0;
    const fits = outbox.slice(0, isAlone ? 1 : MAX_CHANGES).findIndex((change) => {
      bytes += Buffer.byteLength(JSON.stringify(change)) + 20;
      return bytes > MAX_PUSH_BYTES;
    });
    return outbox.slice(0, fits === -1 ? (isAlone ? 1 : MAX_CHANGES) : Math.max(1, fits));
  }

  async function push(): Promise<SyncState> {
    const isAlone = serverErrors >= TRIES_TOGETHER;
    const from = answeredSeq;
    const batch = from === null ? [] : batchOf(isAlone);
    const mutations = batch.map((change, index) => ({ ...change, deviceSeq: (from ?? 0) + index + 1 }));
    const now = new Date(clockMs()).toISOString();
    const answer = await connection.post('/v1/sync/push', { protocol: PROTOCOL, deviceId, epoch, now, mutations });
    if (answer.status === 200) {
      serverErrors = 0;
      takeAnswer(answer.body as PushAnswer, batch);
      return 'unfinished';
    }
    // A balancer's 502 says nothing of the changes; an error of the server itself has a code.
    if (answer.status >= 500 && answer.code !== null && batch.length > 0) {
      serverErrors += 1;
      const [first] = batch;
      if (isAlone && serverErrors >= 2 * TRIES_TOGETHER && first !== undefined) giveUp(first, answer.code);
    }
    return meetFailure(answer);
  }

  /** Whether the server has its number in spite of the failure is asked before the next change gets it. */
  function giveUp(change: Change, code: string): void {
    setAside.push({ change, code, fields: change.fields });
    outbox = outbox.filter((queued) => queued !== change);
    serverErrors = 0;
    answeredSeq = null;
  }

  function takeAnswer(answer: PushAnswer, batch: readonly Change[]): void {
    epoch ??= answer.epoch;
    answeredSeq = answer.lastSeq;
    if (batch.length === 0) return;
    const byId = new Map(batch.map((change) => [change.id, change]));
    for (const outcome of answer.outcomes) {
      const change = byId.get(outcome.id);
      if (change === undefined) continue;
      outbox = outbox.filter((queued) => queued !== change);
      if (outcome.status === 'applied') takeApplied(change, outcome, answer);
      if (outcome.status === 'rejected') setAside.push({ change, code: outcome.code ?? '', fields: change.fields });
      const refused = (outcome.refused ?? []).map(({ field }) => [field, change.fields[field]]);
      const [first] = outcome.refused ?? [];
      if (first !== undefined) setAside.push({ change, code: first.code, fields: Object.fromEntries(refused) });
    }
    for (const tableRows of answer.rows) takeRows(tableRows);
    if (cursors.user === answer.previousVersion) cursors = { ...cursors, user: answer.userVersion };
  }

  function takeApplied(change: Change, { at = change.at }: Outcome, answer: PushAnswer): void {
    const key = keyOf(change.table, change.rowId);
    const before = held.get(key);
    const applied = { ...change, at };
    const after = putOnTop(change.table, before, applied);
    if (after === undefined) return;
    const isNew = before === undefined && change.op === 'upsert';
    held.set(key, {
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
    const answer = await connection.lines('/v1/sync/stream', request, (line) => {
      const { type } = line as { type: string };
      if (type === 'end') isWhole = true;
      else takePage(line as Page);
    });
    if (answer.status !== 200) return meetFailure(answer);
    if (!isWhole) return 'offline';
    if (resync !== null) endResync(resync);
    return outbox.length === 0 ? 'idle' : 'unfinished';
  }

  function takePage(page: Page): void {
    if (page.userId !== userId) throw new Error('the token was moved to another account');
    epoch = page.epoch;
    for (const tableRows of page.tables) takeRows(tableRows);
    cursors = page.next;
  }

  function takeRows({ table, fields, rows: values }: TableRows): void {
    const rules = TABLES[table];
    const catalogueKey = CATALOGUE_KEYS[table];
    for (const list of values) {
      const row: Row = Object.fromEntries(fields.map((name, index) => [name, list[index]]));
      if (catalogueKey !== undefined)
        catalogue.set(keyOf(table, String(row[catalogueKey])), Number(row['syncVersion']));
      if (rules !== undefined) takeRow(keyOf(table, String(row[rules.key])), row);
    }
  }

  function takeRow(key: string, { fieldClocks, ...fields }: Row): void {
    const { syncVersion } = fields;
    if (typeof syncVersion !== 'number' || typeof fieldClocks !== 'object' || fieldClocks === null)
      return void unread.set(key, { ...fields, fieldClocks });
    resync?.come.add(key);
    if (syncVersion < (held.get(key)?.syncVersion ?? 0)) return;
    held.set(key, { fields, clocks: fieldClocks as Clocks, syncVersion });
  }

  // Beginning again.

  function beginAgain(reason: Resync['reason']): void {
    cursors = NOTHING;
    if (reason === 'purged') {
      resync ??= { reason, copies: new Map(), come: new Set() };
      return;
    }
    epoch = null;
    answeredSeq = null;
    const copies = new Map(resync?.reason === 'epoch' ? resync.copies : []);
    const keep = (key: string, version: Version): void => {
      const copy = copies.get(key);
      copies.set(key, copy === undefined ? version : merge(key.split(' ')[0] ?? '', copy, version));
    };
    for (const [key, version] of held) keep(key, version);
    for (const change of outbox.filter(({ op }) => op === 'restore'))
      keep(keyOf(change.table, change.rowId), ofChange(change));
    held.clear();
    outbox = outbox.filter(({ op }) => op !== 'restore').map((change) => ({ ...change, base: 0 }));
    resync = { reason, copies, come: new Set() };
  }

  function endResync({ reason, copies, come }: Resync): void {
    resync = null;
    if (reason === 'purged') {
      const unsent = new Set(outbox.map(({ table, rowId }) => keyOf(table, rowId)));
      for (const key of held.keys()) if (!come.has(key) && !unsent.has(key)) held.delete(key);
      return;
    }
    const tables = Object.keys(TABLES);
    const restores = [...copies].flatMap(([key, copy]): Change[] => {
      const [table = '', rowId = ''] = key.split(' ');
      if (TABLES[table]?.isReadOnly === true || !isMissing(table, held.get(key), copy)) return [];
      const names = settableFields(table).filter((name) => name in copy.fields);
      const fields = Object.fromEntries(names.map((name) => [name, copy.fields[name]]));
      return [{ id: randomUUID(), table, rowId, op: 'restore', fields, at: nextTime(), base: 0, clocks: copy.clocks }];
    });
    restores.sort((a, b) => tables.indexOf(a.table) - tables.indexOf(b.table));
    outbox = [...restores, ...outbox];
  }

  function isMissing(table: string, server: Held | undefined, copy: Version): boolean {
    if (server === undefined) return true;
    const merged = merge(table, server, copy);
    const names = [...settableFields(table)];
    const isAlive = merged.fields['deletedAt'] === null;
    return (
      isAlive !== (server.fields['deletedAt'] === null) ||
      names.some((name) => JSON.stringify(merged.fields[name]) !== JSON.stringify(server.fields[name]))
    );
  }

  function meetFailure({ status, code, detail }: { status: number; code: string | null; detail: string | null }) {
    if (status === 410) {
      beginAgain(detail === 'purged' ? 'purged' : 'epoch');
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
    row: (table, rowId) => seen(keyOf(table, rowId))?.fields,
    conversation: (sessionId) =>
      conversationOf(
        sessionId,
        [...rows()].flatMap(([key, row]) => (key.startsWith('ai_conversations ') ? [row] : [])),
      ),
    catalogue,
    edit: (table, rowId, fields) => queue({ table, rowId, op: 'upsert', fields }),
    remove: (table, rowId) => queue({ table, rowId, op: 'delete', fields: {} }),
    sync: async () => {
      let state: SyncState = 'unfinished';
      for (let round = 0; round < MAX_ROUNDS && state === 'unfinished'; round += 1) {
        const mayPush = resync === null && (outbox.length > 0 || answeredSeq === null);
        state = mayPush ? await push() : await stream();
      }
      return state;
    },
    get waiting() {
      return outbox;
    },
    setAside,
    unread,
  };
}

const timeOf = (at: string): string => new Date(Number(at.slice(0, 13))).toISOString();
