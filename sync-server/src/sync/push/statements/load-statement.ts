/** Reads everything that a batch of changes needs to know, in one statement. */
import { ENTITY_KEYS, type EntityKey, entities } from '@parley/domain';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../../../db/client.ts';
import { isOneOf } from '../../../db/is-one-of.ts';
import { tables } from '../../../db/tables.ts';
import { hasKeyAmong, parseRow, selectAsJson, type StoredRows } from '../../rows/stored-rows.ts';
import { columnOf, wireBytes } from '../../rows/wire-rows.ts';
import { HAS_UNMIGRATED_TURNS } from '../../turns/unmigrated-turns.ts';
import { addId, type RowIds } from '../row-ids.ts';
import type { MergedStatement } from './merged-statements.ts';
import type { Values } from '../parse-change.ts';

export interface AskedRows {
  userId: string;
  /** Rows of learners. */
  rows: RowIds;
  /** Rows of the catalogue; only their existence matters. */
  catalogue: RowIds;
  /** Tables of which all of the learner's rows that are not deleted are needed. */
  live: ReadonlySet<EntityKey>;
  /** Sessions whose turns are counted. */
  sessions: ReadonlySet<string>;
}

export interface TurnTotals {
  /** The number of turns that are not deleted. */
  count: number;
  /** The size of all turns. */
  bytes: number;
}

export interface LoadedRows {
  rows: ReadonlyMap<EntityKey, StoredRows>;
  catalogueIds: RowIds;
  /** The learner's turns per session; a session without turns is absent. */
  turns: ReadonlyMap<string, TurnTotals>;
  /** Sessions with turns that an older server stored in one field. */
  unmigrated: ReadonlySet<string>;
}

/** A select of one text column, and a function that handles each text. */
interface Part {
  value: SQL;
  from: SQL;
  read: (value: string) => void;
}

const Totals = z.object({ session: z.string(), user: z.string(), count: z.number(), bytes: z.number() });
const Found = z.array(z.object({ part: z.number(), value: z.string() }));

/** The query that all members run on a table. */
interface AskedOfTable {
  key: EntityKey;
  ids: ReadonlySet<string>;
  /** Learners all of whose rows that are not deleted are requested. */
  owners: ReadonlySet<string>;
}

/** The tables are in declaration order, so that the statement has few variants and can be prepared. */
function askedByTable(asked: readonly AskedRows[]): AskedOfTable[] {
  return ENTITY_KEYS.flatMap((key) => {
    const ids = new Set(asked.flatMap(({ rows }) => [...(rows.get(key) ?? [])]));
    const owners = new Set(asked.flatMap(({ live, userId }) => (live.has(key) ? [userId] : [])));
    return ids.size + owners.size === 0 ? [] : [{ key, ids, owners }];
  });
}

function isAsked({ key, ids, owners }: AskedOfTable): SQL {
  const hasId = hasKeyAmong(key, ids);
  if (owners.size === 0) return hasId;
  return sql`${hasId} or (${isOneOf(columnOf(key, 'userId'), owners)} and ${columnOf(key, 'deletedAt')} is null)`;
}

export const LOAD_ROWS: MergedStatement<AskedRows, LoadedRows> = {
  async run(tx, asked) {
    const rows = new Map<EntityKey, StoredRows>();
    const catalogueIds: RowIds = new Map();
    const turns: z.infer<typeof Totals>[] = [];
    const unmigrated = new Set<string>();
    const parts: Part[] = [];
    for (const ofTable of askedByTable(asked)) {
      const { key } = ofTable;
      const found: StoredRows = new Map();
      rows.set(key, found);
      parts.push({
        ...selectAsJson(key, isAsked(ofTable)),
        read: (value) => found.set(...parseRow(key, value)),
      });
    }
    for (const key of ENTITY_KEYS) {
      const ids = new Set(asked.flatMap(({ catalogue }) => [...(catalogue.get(key) ?? [])]));
      if (ids.size > 0)
        parts.push({
          value: sql`${columnOf(key, entities[key].key)}::text`,
          from: sql`from ${tables[key]} where ${hasKeyAmong(key, ids)}`,
          read: (value) => addId(catalogueIds, key, value),
        });
    }
    const sessions = new Set(asked.flatMap((one) => [...one.sessions]));
    if (sessions.size > 0)
      parts.push(
        { ...countTurns(sessions), read: (value) => turns.push(Totals.parse(JSON.parse(value))) },
        {
          value: sql`p.id::text`,
          from: sql`from practice_history as p where ${isOneOf(sql`p.id`, sessions)} and ${HAS_UNMIGRATED_TURNS}`,
          read: (value) => unmigrated.add(value),
        },
      );
    await readParts(tx, parts);
    return asked.map((one) => ({
      rows: ownPart(one, rows),
      catalogueIds,
      turns: new Map(
        turns.flatMap(({ session, user, ...totals }) =>
          user === one.userId && one.sessions.has(session) ? [[session, totals]] : [],
        ),
      ),
      unmigrated: new Set([...one.sessions].filter((id) => unmigrated.has(id))),
    }));
  },
};

async function readParts(tx: Database, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return;
  const selects = parts.map(
    ({ value, from }, index) => sql`select ${sql.raw(String(index))} as part, ${value} as value ${from}`,
  );
  const { rows } = (await tx.execute(sql.join(selects, sql` union all `))) as { rows: unknown[] };
  for (const { part, value } of Found.parse(rows)) parts[part]?.read(value);
}

const { sessionId, userId: ownerId, deletedAt } = tables.aiConversations;

const countTurns = (sessions: ReadonlySet<string>): Pick<Part, 'value' | 'from'> => ({
  value: sql`json_build_object('session', session_id, 'user', user_id, 'count', count, 'bytes', bytes)::text`,
  from: sql`from (
    select ${sessionId}, ${ownerId}, count(*) filter (where ${deletedAt} is null) as count,
      sum(${wireBytes('aiConversations', 3)}) as bytes
    from ${tables.aiConversations} where ${isOneOf(sessionId, sessions)} group by 1, 2) as counted`,
});

/** Drops rows that only other pushes requested. */
function ownPart(
  { userId, rows, live }: AskedRows,
  loaded: ReadonlyMap<EntityKey, StoredRows>,
): Map<EntityKey, StoredRows> {
  const own = new Map<EntityKey, StoredRows>();
  for (const [key, found] of loaded) {
    const isOwn = ([id, row]: [string, Values]): boolean =>
      rows.get(key)?.has(id) === true || (live.has(key) && row['userId'] === userId && row['deletedAt'] === null);
    own.set(key, new Map([...found].filter(isOwn)));
  }
  return own;
}
