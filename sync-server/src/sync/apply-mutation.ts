/** One change of one row: whose it is, which fields it may touch, and how it meets what is there. */
import type { Mutation, MutationRejection } from '@parley/contract';
import {
  clampHybridTime,
  entities,
  type EntityKey,
  entityKeyByTable,
  isLater,
  mergePronunciationWords,
  PronunciationWords,
  wireSchema,
} from '@parley/domain';
import { eq, getTableColumns } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';

/** Thrown inside a savepoint, caught by the push; the learner sees it in a list, with the content of the change. */
export class MutationRefused extends Error {
  readonly code: MutationRejection;
  readonly field: string | null;

  constructor(code: MutationRejection, field: string | null) {
    super(code);
    this.code = code;
    this.field = field;
  }
}

type Values = Record<string, unknown>;

interface Write {
  userId: string;
  at: Date;
  version: number;
}

/** Set by the server whatever a device says. */
const SERVER_SET = new Set(['syncVersion', 'deletedAt', 'updatedAt']);

export async function applyMutation(tx: Database, mutation: Mutation, write: Write): Promise<void> {
  const key = entityKeyByTable.get(mutation.table);
  if (key === undefined) throw new MutationRefused('unknown_table', null);
  const entity = entities[key];
  if (entity.owner !== 'learner') throw new MutationRefused('read_only', null);
  const fields = readFields(key, mutation);
  const table: PgTable = tables[key];
  const keyColumn = (getTableColumns(table) as Record<string, AnyPgColumn>)[entity.key];
  if (keyColumn === undefined) throw new Error(`${entity.name} has no key column`);
  const [current]: Values[] = await tx.select().from(table).where(eq(keyColumn, mutation.rowId)).for('update');
  requireOwn(key, { mutation, fields, current, userId: write.userId });

  const time = clampHybridTime(mutation.at, write.at.getTime());
  const stamp = { updatedAt: write.at, syncVersion: write.version };
  if (current === undefined) {
    // A deletion of a row that never came here has nothing left to delete.
    if (mutation.op === 'delete') return;
    const complete = completeRow(key, { ...fields, [entity.key]: mutation.rowId }, write);
    const fieldClocks = Object.fromEntries(Object.keys(fields).map((name) => [name, time]));
    await tx.insert(table).values({ ...complete, ...stamp, fieldClocks });
    return;
  }
  if (entity.merge === 'append_only' && mutation.op === 'upsert') return;
  const merged = merge(key, { current, fields, time, op: mutation.op, at: write.at });
  if (merged !== null)
    await tx
      .update(table)
      .set({ ...merged, ...stamp })
      .where(eq(keyColumn, mutation.rowId));
}

/** Parses each field by itself, so that a refusal can name it. */
function readFields(key: EntityKey, mutation: Mutation): Values {
  const entity = entities[key];
  const { shape } = wireSchema(entity);
  const fields: Values = {};
  for (const [name, value] of Object.entries(mutation.fields)) {
    if (entity.accountFields.includes(name)) throw new MutationRefused('account_field', name);
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schema === undefined) throw new MutationRefused('unknown_field', name);
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw new MutationRefused('invalid_value', name);
    if (!SERVER_SET.has(name)) fields[name] = parsed.data;
  }
  if (fields[entity.key] !== undefined && fields[entity.key] !== mutation.rowId)
    throw new MutationRefused('invalid_value', entity.key);
  return fields;
}

/** A learner writes their own rows, and never gives one away. */
function requireOwn(
  key: EntityKey,
  claim: { mutation: Mutation; fields: Values; current: Values | undefined; userId: string },
): void {
  const ownerField = key === 'users' ? entities.users.key : 'userId';
  const named = key === 'users' ? claim.mutation.rowId : claim.fields[ownerField];
  const isTheirs = claim.current !== undefined && claim.current[ownerField] !== claim.userId;
  if (isTheirs || (named !== undefined && named !== claim.userId)) throw new MutationRefused('not_yours', null);
  if (claim.current === undefined && named === undefined && claim.mutation.op === 'upsert')
    throw new MutationRefused('invalid_value', ownerField);
}

/** A new row needs every field: given, or with a starting value. */
function completeRow(key: EntityKey, fields: Values, write: Write): Values {
  const complete: Values = { createdAt: write.at, deletedAt: null, ...fields };
  for (const [name, field] of Object.entries(entities[key].fields)) {
    if (name in complete || SERVER_SET.has(name)) continue;
    if (field.initial === undefined) throw new MutationRefused('invalid_value', name);
    complete[name] = field.initial;
  }
  return complete;
}

interface Edit {
  current: Values;
  fields: Values;
  time: string;
  op: Mutation['op'];
  at: Date;
}

/**
 * Whether an edit that arrives now replaces one at `current`. Only a device's own times can be equal, when its clock
 * runs so far ahead that both were clamped: it sends in order, so the one that arrives now is the newer.
 */
const replaces = (arriving: string, current: string | null): boolean =>
  arriving === current || isLater(arriving, current);

/** Field by field the later hybrid time wins; a delete wins over older edits, a newer edit revives. Null: nothing is newer. */
function merge(key: EntityKey, edit: Edit): Values | null {
  const clocks = { ...(edit.current['fieldClocks'] as Record<string, string>) };
  const deletedAt = clocks['deletedAt'] ?? null;
  const isDeleted = edit.current['deletedAt'] !== null;
  if (edit.op === 'delete') {
    const lastEdit = Object.values(clocks).reduce<string | null>(
      (last, time) => (replaces(time, last) ? time : last),
      null,
    );
    if (!replaces(edit.time, lastEdit)) return null;
    return { deletedAt: edit.at, fieldClocks: { ...clocks, deletedAt: edit.time } };
  }
  const changes: Values = {};
  for (const [name, value] of Object.entries(edit.fields)) {
    if (name === entities[key].key || name === 'createdAt') continue;
    if (key === 'pronunciationImprovementSummary' && name === 'words') {
      const theirs = PronunciationWords.parse(edit.current[name]);
      changes[name] = mergePronunciationWords(theirs, PronunciationWords.parse(value));
    } else if (replaces(edit.time, clocks[name] ?? null)) {
      changes[name] = value;
    } else continue;
    clocks[name] = replaces(edit.time, clocks[name] ?? null) ? edit.time : (clocks[name] ?? edit.time);
  }
  const revives = isDeleted && replaces(edit.time, deletedAt);
  if (Object.keys(changes).length === 0 && !revives) return null;
  return { ...changes, fieldClocks: clocks, ...(revives ? { deletedAt: null } : {}) };
}
