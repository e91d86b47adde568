/** Takes a batch of changes in: all at once when the database takes it so, and one by one to find those that it refuses. */
import type { Mutation, MutationOutcome, MutationRejection } from '@parley/contract';
import { ENTITY_KEYS, type EntityKey } from '@parley/domain';
import type { Database } from '../db/client.ts';
import {
  MutationRefused,
  type Plan,
  planMutation,
  type ReadMutation,
  readMutation,
  referredRows,
  type Values,
  type Write,
} from './plan-mutation.ts';
import { loadRows, storeRows } from './whole-rows.ts';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const INTEGRITY_CLASS = /^(22|23)/;

/** A savepoint each: what is refused takes nothing of the rest with it. */
export async function applyMutations(
  tx: Database,
  mutations: readonly Mutation[],
  write: Write,
): Promise<MutationOutcome[]> {
  if (mutations.length === 0) return [];
  try {
    return await tx.transaction((savepoint) => applyTogether(savepoint, mutations, write));
  } catch (error) {
    if (refusalOfDatabase(error) === null) throw error;
  }
  const outcomes: MutationOutcome[] = [];
  for (const mutation of mutations) outcomes.push(await applyAlone(tx, mutation, write));
  return outcomes;
}

async function applyAlone(tx: Database, mutation: Mutation, write: Write): Promise<MutationOutcome> {
  try {
    const [outcome] = await tx.transaction((savepoint) => applyTogether(savepoint, [mutation], write));
    if (outcome === undefined) throw new Error('a change came to nothing');
    return outcome;
  } catch (error) {
    const refusal = refusalOfDatabase(error);
    if (refusal === null) throw error;
    return rejected(mutation, refusal);
  }
}

/** Reads each row once, decides in memory, writes each row once: as many statements as tables, however many changes. */
async function applyTogether(tx: Database, mutations: readonly Mutation[], write: Write): Promise<MutationOutcome[]> {
  const changes = mutations.map((mutation) => attempt(() => readMutation(mutation)));
  const rowsByKey: RowsByKey = new Map();
  for (const [key, ids] of touchedIds(changes)) rowsByKey.set(key, await loadRows(tx, key, [...ids]));
  const written = new Map<EntityKey, Map<string, Values>>();
  const outcomes = mutations.map((mutation, index): MutationOutcome => {
    const change = changes[index];
    if (change === undefined || change instanceof MutationRefused) return rejected(mutation, change);
    const plan = attempt(() => {
      requireReferred(change, rowsByKey, write.userId);
      return planMutation(change, rowsByKey.get(change.key)?.get(mutation.rowId), write);
    });
    if (plan instanceof MutationRefused) return rejected(mutation, plan);
    keep(plan, change, { rowsByKey, written });
    return { id: mutation.id, status: plan.isExact ? 'applied' : 'merged' };
  });
  // In the order in which entities are declared, parents stand before the rows that refer to them.
  for (const key of ENTITY_KEYS) {
    const rows = written.get(key);
    if (rows !== undefined) await storeRows(tx, key, [...rows.values()]);
  }
  return outcomes;
}

type RowsByKey = Map<EntityKey, Map<string, Values>>;

/** Rows that are changed or referred to. */
function touchedIds(changes: readonly (ReadMutation | MutationRefused)[]): Map<EntityKey, Set<string>> {
  const idsByKey = new Map<EntityKey, Set<string>>();
  const touch = (key: EntityKey, id: string): void => {
    const ids = idsByKey.get(key) ?? new Set();
    idsByKey.set(key, ids.add(id));
  };
  for (const change of changes) {
    if (change instanceof MutationRefused) continue;
    touch(change.key, change.mutation.rowId);
    for (const { to, id } of referredRows(change)) touch(to, id);
  }
  return idsByKey;
}

/** Another learner's row is as good as none: nobody is told that it exists, and nothing holds on to it. */
function requireReferred(change: ReadMutation, rowsByKey: RowsByKey, userId: string): void {
  for (const { to, id } of referredRows(change))
    if (rowsByKey.get(to)?.get(id)?.['userId'] !== userId) throw new MutationRefused('missing_reference', null);
}

function keep(
  { row }: Plan,
  { key, mutation }: ReadMutation,
  { rowsByKey, written }: { rowsByKey: RowsByKey; written: RowsByKey },
): void {
  if (row === null) return;
  rowsByKey.get(key)?.set(mutation.rowId, row);
  const rows = written.get(key) ?? new Map<string, Values>();
  written.set(key, rows.set(mutation.rowId, row));
}

function attempt<Value>(work: () => Value): Value | MutationRefused {
  try {
    return work();
  } catch (error) {
    if (error instanceof MutationRefused) return error;
    throw error;
  }
}

const rejected = ({ id }: Mutation, refusal: MutationRefused | undefined): MutationOutcome => ({
  id,
  status: 'rejected',
  code: refusal?.code ?? 'invalid_value',
  field: refusal?.field ?? null,
});

function refusalOfDatabase(error: unknown): MutationRefused | null {
  const code = sqlState(error);
  if (code === null || !INTEGRITY_CLASS.test(code)) return null;
  const rejection: MutationRejection =
    code === UNIQUE_VIOLATION ? 'conflict' : code === FOREIGN_KEY_VIOLATION ? 'missing_reference' : 'invalid_value';
  return new MutationRefused(rejection, null);
}

/** Drivers wrap the database's error; its state stands on it or on its cause. */
function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)) return error.code;
  return 'cause' in error ? sqlState(error.cause) : null;
}
