/** Reads all that a batch of changes needs to know in one statement. */
import { type EntityKey, entities } from '@parley/domain';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Database } from '../../db/client.ts';
import { isOneOf } from '../../db/is-one-of.ts';
import { tables } from '../../db/tables.ts';
import { hasKeyAmong, parseRows, rowsAsJson, type StoredRows } from '../rows/stored-rows.ts';
import { HAS_UNMIGRATED_TURNS } from '../turns/unmigrated-turns.ts';
import { addId, type RowIds } from './row-ids.ts';
import type { MergedStatement } from './merged-statements.ts';

export interface AskedRows {
  userId: string;
  /** Rows of learners. */
  rows: RowIds;
  /** Rows of the catalogue, of which only the existence matters. */
  catalogue: RowIds;
  /** Tables of which all the learner's rows that are not deleted are needed. */
  live: ReadonlySet<EntityKey>;
  /** Sessions whose turns are counted. */
  sessions: ReadonlySet<string>;
}

export interface LoadedRows {
  rows: ReadonlyMap<EntityKey, StoredRows>;
  catalogueIds: RowIds;
  /** The number of the learner's turns per session that are not deleted; a session without any is missing. */
  turnCounts: ReadonlyMap<string, number>;
  /** Sessions with turns that an older server stored in one field. */
  unmigrated: ReadonlySet<string>;
}

/** One column of the statement's only row, and what is to be done with its JSON. */
interface Part {
  query: SQL;
  read: (json: string) => void;
}

const Ids = z.array(z.string());
const Counts = z.array(z.tuple([z.string(), z.string(), z.number()]));
const Answer = z.tuple([z.record(z.string(), z.string())]);

function columnOf(key: EntityKey, name: string): AnyPgColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnyPgColumn>)[name];
  if (column === undefined) throw new Error(`${key} has no column ${name}`);
  return column;
}

function unite(all: readonly RowIds[]): RowIds {
  const united: RowIds = new Map();
  for (const ids of all) for (const [key, some] of ids) for (const id of some) addId(united, key, id);
  return united;
}

export const LOAD_ROWS: MergedStatement<AskedRows, LoadedRows> = {
  async run(tx, asked) {
    const found = { rows: new Map<EntityKey, StoredRows>(), catalogueIds: new Map() as RowIds };
    const live = new Map<EntityKey, StoredRows>();
    const turns: [sessionId: string, userId: string, count: number][] = [];
    const unmigrated = new Set<string>();
    const parts: Part[] = [];
    for (const [key, ids] of unite(asked.map(({ rows }) => rows)))
      parts.push({
        query: rowsAsJson(key, hasKeyAmong(key, ids)),
        read: (json) => found.rows.set(key, parseRows(key, json)),
      });
    for (const [key, ids] of unite(asked.map(({ catalogue }) => catalogue)))
      parts.push({
        query: sql`select coalesce(json_agg(${columnOf(key, entities[key].key)}), '[]')::text from ${tables[key]}
          where ${hasKeyAmong(key, ids)}`,
        read: (json) => found.catalogueIds.set(key, new Set(Ids.parse(JSON.parse(json)))),
      });
    for (const [key, owners] of liveTables(asked))
      parts.push({
        query: rowsAsJson(
          key,
          sql`${isOneOf(columnOf(key, 'userId'), owners)} and ${columnOf(key, 'deletedAt')} is null`,
        ),
        read: (json) => live.set(key, parseRows(key, json)),
      });
    const sessions = new Set(asked.flatMap((one) => [...one.sessions]));
    if (sessions.size > 0)
      parts.push(
        { query: countTurns(sessions), read: (json) => turns.push(...Counts.parse(JSON.parse(json))) },
        {
          query: sql`select coalesce(json_agg(p.id), '[]')::text from practice_history as p
            where ${isOneOf(sql`p.id`, sessions)} and ${HAS_UNMIGRATED_TURNS}`,
          read: (json) => {
            for (const id of Ids.parse(JSON.parse(json))) unmigrated.add(id);
          },
        },
      );
    await readParts(tx, parts);
    return asked.map((one) => ({
      ...found,
      rows: ownPart(one, found.rows, live),
      turnCounts: new Map(turns.flatMap(([id, userId, count]) => (userId === one.userId ? [[id, count]] : []))),
      unmigrated: new Set([...one.sessions].filter((id) => unmigrated.has(id))),
    }));
  },
};

async function readParts(tx: Database, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return;
  const columns = parts.map(({ query }, index) => sql`(${query}) as ${sql.identifier(`part${index}`)}`);
  const { rows } = (await tx.execute(sql`select ${sql.join(columns, sql`, `)}`)) as { rows: unknown[] };
  const [answer] = Answer.parse(rows);
  for (const [index, { read }] of parts.entries()) read(answer[`part${index}`] ?? '[]');
}

function liveTables(asked: readonly AskedRows[]): Map<EntityKey, Set<string>> {
  const owners: RowIds = new Map();
  for (const { live, userId } of asked) for (const key of live) addId(owners, key, userId);
  return owners;
}

const { sessionId, userId: ownerId, deletedAt } = tables.aiConversations;

const countTurns = (sessions: ReadonlySet<string>): SQL => sql`
  select coalesce(json_agg(json_build_array(counted.session_id, counted.user_id, counted.count)), '[]')::text from (
    select ${sessionId}, ${ownerId}, count(*) from ${tables.aiConversations}
    where ${isOneOf(sessionId, sessions)} and ${deletedAt} is null group by 1, 2) as counted`;

/** Leaves out what only others have asked for. */
function ownPart(
  { userId, rows, live: liveKeys }: AskedRows,
  loaded: ReadonlyMap<EntityKey, StoredRows>,
  live: ReadonlyMap<EntityKey, StoredRows>,
): Map<EntityKey, StoredRows> {
  const own = new Map<EntityKey, StoredRows>();
  for (const [key, ids] of rows) {
    const stored = loaded.get(key);
    own.set(key, new Map([...(stored ?? [])].filter(([id]) => ids.has(id))));
  }
  for (const key of liveKeys) {
    const ofLearner = [...(live.get(key) ?? [])].filter(([, row]) => row['userId'] === userId);
    own.set(key, new Map([...(own.get(key) ?? []), ...ofLearner]));
  }
  return own;
}
