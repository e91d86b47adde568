/** Writes everything that a push changes, in one statement. */
import { columnName, ENTITY_KEYS, entities, type EntityKey } from '@parley/domain';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { userScope } from '../../../account/index.ts';
import { devices, staleConversations, syncScopes, tables } from '../../../db/tables.ts';
import { upsertRows } from '../../rows/stored-rows.ts';
import type { NewestChange } from '../change-order.ts';
import type { MergedStatement } from './merged-statements.ts';
import type { Values } from '../parse-change.ts';

/** The changes of a push besides its rows. */
export interface StoredProgress {
  deviceId: string;
  lastSeq: number;
  lastChange: NewestChange | null;
  lastSeenAt: Date;
  /** The size of the learner's rows. */
  storedBytes: number;
}

interface RowsToStore {
  userId: string;
  rows?: ReadonlyMap<EntityKey, ReadonlyMap<string, Values>>;
  /** Sessions that only get a new stamp (time and version). */
  touched?: readonly { id: string; stamp: Values }[];
  /** Sessions whose conversation must be recomputed. */
  stale?: ReadonlySet<string>;
  progress: StoredProgress | null;
}

/**
 * Several pushes write the same new row, or another learner has created it since it was looked up. Each of these pushes
 * must look it up again, in a transaction of its own.
 */
export class RowsTaken extends Error {
  /** Equals the code for a violated unique key. */
  readonly code = '23505';
  readonly userIds: ReadonlySet<string>;

  constructor(userIds: ReadonlySet<string>) {
    super('a row belongs to another learner');
    this.userIds = userIds;
  }
}

const Written = z.tuple([z.object({ ids: z.array(z.string()) })]);

export const STORE_ROWS: MergedStatement<RowsToStore, void> = {
  async run(tx, asked) {
    requireDistinctRows(asked);
    const { upserts, count } = upsertsOf(asked);
    const writes = [...upserts, ...writesOfSessions(asked), ...writesOfProgress(asked)];
    if (writes.length > 0) {
      const { rows } = (await tx.execute(inOneStatement(writes, upserts.length))) as { rows: unknown[] };
      const [{ ids }] = Written.parse(rows);
      if (ids.length < count) throw new RowsTaken(writersOfOthers(asked, new Set(ids)));
    }
    return asked.map(() => undefined);
  },
};

/** Returns the learners who tried to write a row that was not written. */
const writersOfOthers = (asked: readonly RowsToStore[], written: ReadonlySet<string>): Set<string> =>
  new Set(
    asked.flatMap(({ userId, rows }) =>
      [...(rows?.values() ?? [])].some((ids) => [...ids.keys()].some((id) => !written.has(id))) ? [userId] : [],
    ),
  );

function requireDistinctRows(asked: readonly RowsToStore[]): void {
  if (asked.length === 1) return;
  const writers = new Map<string, string>();
  const colliding = new Set<string>();
  for (const { userId, rows } of asked)
    for (const [key, ids] of rows ?? [])
      for (const id of ids.keys()) {
        const other = writers.get(`${key} ${id}`);
        if (other !== undefined) colliding.add(userId).add(other);
        writers.set(`${key} ${id}`, userId);
      }
  if (colliding.size > 0) throw new RowsTaken(colliding);
}

/**
 * The parts of a statement run in no particular order, and the database checks references after all of them. The
 * statement returns the ids of the rows that the first parts have written.
 */
function inOneStatement(writes: readonly SQL[], upserts: number): SQL {
  const nameOf = (index: number): SQL => sql.raw(`write${index}`);
  const parts = writes.map((write, index) => sql`${nameOf(index)} as (${write})`);
  const written = writes.slice(0, upserts).map((_write, index) => sql`select id from ${nameOf(index)}`);
  const rows = written.length === 0 ? sql`select null::text as id where false` : sql.join(written, sql` union all `);
  return sql`with ${sql.join(parts, sql`, `)} select coalesce(json_agg(written.id), '[]') as ids from (${rows}) as written`;
}

function upsertsOf(asked: readonly RowsToStore[]): { upserts: SQL[]; count: number } {
  const rowsByKey = ENTITY_KEYS.map(
    (key) => [key, asked.flatMap((one) => [...(one.rows?.get(key)?.values() ?? [])])] as const,
  ).filter(([, rows]) => rows.length > 0);
  return {
    upserts: rowsByKey.map(
      ([key, rows]) =>
        sql`${upsertRows(key, rows)} returning ${sql.identifier(columnName(entities[key].key))}::text as id`,
    ),
    count: rowsByKey.reduce((sum, [, rows]) => sum + rows.length, 0),
  };
}

function writesOfSessions(asked: readonly RowsToStore[]): SQL[] {
  const { practiceHistory } = tables;
  const touched = asked.flatMap((one) => one.touched ?? []);
  const stale = asked.flatMap(({ stale: ids = [], userId }) => [...ids].map((id) => ({ id, userId })));
  return [
    ...(touched.length === 0
      ? []
      : [
          sql`update ${practiceHistory} set updated_at = touched.at, sync_version = touched.version
            from unnest(${arrayOf(touched.map(({ id }) => id))}::uuid[],
              ${arrayOf(touched.map(({ stamp }) => (stamp['updatedAt'] as Date).toISOString()))}::timestamptz[],
              ${arrayOf(touched.map(({ stamp }) => Number(stamp['syncVersion'])))}::bigint[]) as touched (id, at, version)
            where ${practiceHistory.id} = touched.id`,
        ]),
    ...(stale.length === 0
      ? []
      : [
          sql`insert into ${staleConversations} (session_id, user_id)
            select * from unnest(${arrayOf(stale.map(({ id }) => id))}::uuid[],
              ${arrayOf(stale.map(({ userId }) => userId))}::uuid[])
            on conflict do nothing`,
        ]),
  ];
}

function writesOfProgress(asked: readonly RowsToStore[]): SQL[] {
  const all = asked.flatMap(({ userId, progress }) => (progress === null ? [] : [{ ...progress, userId }]));
  if (all.length === 0) return [];
  return [
    sql`update ${syncScopes} set stored_bytes = counted.bytes
      from unnest(${arrayOf(all.map(({ userId }) => userScope(userId)))}::text[],
        ${arrayOf(all.map(({ storedBytes }) => Math.max(0, Math.round(storedBytes))))}::bigint[]) as counted (scope, bytes)
      where ${syncScopes.scope} = counted.scope`,
    sql`update ${devices} set last_seq = heard.seq, last_change_at = heard.change_at,
      last_change_offset_ms = heard.offset_ms, last_seen_at = heard.at
      from unnest(${arrayOf(all.map(({ deviceId }) => deviceId))}::uuid[],
        ${arrayOf(all.map(({ lastSeq }) => lastSeq))}::bigint[],
        ${arrayOf(all.map(({ lastChange }) => lastChange?.at ?? null))}::text[],
        ${arrayOf(all.map(({ lastChange }) => lastChange?.offsetMs ?? null))}::bigint[],
        ${arrayOf(all.map(({ lastSeenAt }) => lastSeenAt.toISOString()))}::timestamptz[])
        as heard (device_id, seq, change_at, offset_ms, at)
      where ${devices.deviceId} = heard.device_id`,
  ];
}

/**
 * Passes an array as one parameter, so that the text of a statement does not depend on its length. No element needs
 * quoting.
 */
const arrayOf = (elements: readonly (string | number | null)[]): string =>
  `{${elements.map((element) => element ?? 'null').join(',')}}`;
