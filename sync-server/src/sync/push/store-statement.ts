/** Writes all that a push changes in one statement. */
import { ENTITY_KEYS, type EntityKey } from '@parley/domain';
import { type SQL, sql } from 'drizzle-orm';
import { userScope } from '../../account/index.ts';
import { devices, staleConversations, syncScopes, tables } from '../../db/tables.ts';
import { upsertRows } from '../rows/stored-rows.ts';
import type { MergedStatement } from './merged-statements.ts';
import type { Values } from './parse-change.ts';

/** What a push changes besides rows. */
export interface StoredProgress {
  deviceId: string;
  lastSeq: number;
  lastSeenAt: Date;
  /** The size of the learner's rows. */
  storedBytes: number;
}

interface StoredRows {
  userId: string;
  rows?: ReadonlyMap<EntityKey, ReadonlyMap<string, Values>>;
  /** Sessions that only get a stamp. */
  touched?: readonly { id: string; stamp: Values }[];
  /** Sessions whose conversation must be computed anew. */
  stale?: ReadonlySet<string>;
  progress: StoredProgress | null;
}

export const STORE_ROWS: MergedStatement<StoredRows, void> = {
  async run(tx, asked) {
    const writes = [...writesOfRows(asked), ...writesOfSessions(asked), ...writesOfProgress(asked)];
    const last = writes.pop();
    if (last !== undefined) await tx.execute(sql`${withFirst(writes)}${last}`);
    return asked.map(() => undefined);
  },
};

/** The parts of a statement run in no particular order, and the database checks references after all of them. */
function withFirst(writes: readonly SQL[]): SQL {
  if (writes.length === 0) return sql.empty();
  const parts = writes.map((write, index) => sql`${sql.identifier(`write${index}`)} as (${write})`);
  return sql`with ${sql.join(parts, sql`, `)} `;
}

const writesOfRows = (asked: readonly StoredRows[]): SQL[] =>
  ENTITY_KEYS.flatMap((key) => {
    const rows = asked.flatMap((one) => [...(one.rows?.get(key)?.values() ?? [])]);
    return rows.length === 0 ? [] : [upsertRows(key, rows)];
  });

function writesOfSessions(asked: readonly StoredRows[]): SQL[] {
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

function writesOfProgress(asked: readonly StoredRows[]): SQL[] {
  const all = asked.flatMap(({ userId, progress }) => (progress === null ? [] : [{ ...progress, userId }]));
  if (all.length === 0) return [];
  return [
    sql`update ${syncScopes} set stored_bytes = counted.bytes
      from unnest(${arrayOf(all.map(({ userId }) => userScope(userId)))}::text[],
        ${arrayOf(all.map(({ storedBytes }) => Math.max(0, Math.round(storedBytes))))}::bigint[]) as counted (scope, bytes)
      where ${syncScopes.scope} = counted.scope`,
    sql`update ${devices} set last_seq = heard.seq, last_seen_at = heard.at
      from unnest(${arrayOf(all.map(({ deviceId }) => deviceId))}::uuid[],
        ${arrayOf(all.map(({ lastSeq }) => lastSeq))}::bigint[],
        ${arrayOf(all.map(({ lastSeenAt }) => lastSeenAt.toISOString()))}::timestamptz[]) as heard (device_id, seq, at)
      where ${devices.deviceId} = heard.device_id`,
  ];
}

/** An array as one parameter, so that the text of a statement does not depend on its length. No element needs quotes. */
const arrayOf = (elements: readonly (string | number)[]): string => `{${elements.join(',')}}`;
