/**
 * Checks references to the catalogue and unique keys before the database does. A database error would undo the whole push, and finding the
 * offending change would take many more attempts.
 */
import { ENTITY_KEYS, entities, type EntityKey, entityKeyByTable, type Field } from '@parley/domain';
import { and, eq, getTableColumns, isNull } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/client.ts';
import { isOneOf } from '../../db/is-one-of.ts';
import { tables } from '../../db/tables.ts';
import { addId, type Batch, type RowIds } from './batch.ts';
import { MutationRefused, type ParsedChange, type Values } from './parse-change.ts';
import { selectRows } from '../rows/stored-rows.ts';

interface Constraints {
  /** Fields that reference a catalogue row. */
  references: readonly { name: string; to: EntityKey }[];
  /** Fields whose combined values must be unique among live rows. */
  uniqueGroups: readonly (readonly string[])[];
}

const CONSTRAINTS: ReadonlyMap<EntityKey, Constraints> = new Map(
  ENTITY_KEYS.filter((key) => entities[key].owner === 'learner').map((key) => [key, constraintsOf(key)]),
);

function constraintsOf(key: EntityKey): Constraints {
  const { fields, uniqueTogether, accountFields } = entities[key];
  const named = Object.entries(fields as Record<string, Field>);
  return {
    references: named.flatMap(([name, { references }]) => {
      const to = references === null ? undefined : entityKeyByTable.get(references.entity);
      return to !== undefined && entities[to].owner === 'catalogue' ? [{ name, to }] : [];
    }),
    uniqueGroups: [
      ...uniqueTogether,
      // Devices cannot write account fields.
      ...named.flatMap(([name, { unique }]) => (unique && !accountFields.includes(name) ? [[name]] : [])),
    ],
  };
}

/** Runs one statement per referenced table and one per table with unique keys. */
export async function loadConstraints(
  tx: Database,
  { batch, changes, userId }: { batch: Batch; changes: readonly ParsedChange[]; userId: string },
): Promise<void> {
  const named: RowIds = new Map();
  for (const { key, fields } of changes)
    for (const { name, to } of CONSTRAINTS.get(key)?.references ?? []) {
      const id = fields[name];
      if (typeof id === 'string') addId(named, to, id);
    }
  for (const [key, ids] of named)
    for (const id of await existingIds(tx, key, [...ids])) addId(batch.catalogueIds, key, id);
  for (const key of new Set(changes.map((change) => change.key)))
    if ((CONSTRAINTS.get(key)?.uniqueGroups.length ?? 0) > 0) await loadLiveRows(tx, { batch, key, userId });
}

async function existingIds(tx: Database, key: EntityKey, ids: readonly string[]): Promise<string[]> {
  const keyColumn = findColumn(key, entities[key].key);
  const rows = await tx.select({ id: keyColumn }).from(tables[key]).where(isOneOf(keyColumn, ids));
  return rows.map(({ id }) => String(id));
}

async function loadLiveRows(
  tx: Database,
  { batch, key, userId }: { batch: Batch; key: EntityKey; userId: string },
): Promise<void> {
  const isNotDeleted = and(eq(findColumn(key, 'userId'), userId), isNull(findColumn(key, 'deletedAt')));
  batch.add(key, await selectRows(tx, key, isNotDeleted));
}

function findColumn(key: EntityKey, name: string): AnyPgColumn {
  const columns: Record<string, AnyPgColumn> = getTableColumns(tables[key]);
  const column = columns[name];
  if (column === undefined) throw new Error(`${key} has no column ${name}`);
  return column;
}

/** Throws `MutationRefused` for a row that the database would reject. */
export function requireStorable(batch: Batch, key: EntityKey, row: Values): void {
  const { references, uniqueGroups } = CONSTRAINTS.get(key) ?? { references: [], uniqueGroups: [] };
  const rowId = String(row[entities[key].key]);
  const current = batch.row(key, rowId);
  for (const { name, to } of references) {
    const id = row[name];
    const isNew = typeof id === 'string' && id !== current?.[name];
    if (isNew && batch.catalogueIds.get(to)?.has(id) !== true) throw new MutationRefused('missing_reference', null);
  }
  if (row['deletedAt'] !== null) return;
  for (const group of uniqueGroups)
    for (const other of batch.rows(key)) {
      const isLiveAndOther = other['deletedAt'] === null && String(other[entities[key].key]) !== rowId;
      if (isLiveAndOther && group.every((name) => other[name] === row[name]))
        throw new MutationRefused('conflict', null);
    }
}
