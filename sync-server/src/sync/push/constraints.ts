/**
 * Checks references to the catalogue and unique keys before the database does. A database error would undo the whole push, and finding the
 * offending change would take many more attempts.
 */
import { ENTITY_KEYS, entities, type EntityKey, entityKeyByTable, type Field } from '@parley/domain';
import type { Batch } from './batch.ts';
import { MutationRefused, type ParsedChange, type Values } from './parse-change.ts';
import { addId, type RowIds } from './row-ids.ts';

interface Constraints {
  /** Fields that reference a catalogue row. */
  references: readonly { name: string; to: EntityKey }[];
  /** Fields whose combined values must be unique among live rows. */
  uniqueGroups: readonly (readonly string[])[];
}

const NONE: Constraints = { references: [], uniqueGroups: [] };
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

/** Returns the catalogue rows to which changes refer, and the tables with unique keys to which they write. */
export function constraintsOn(changes: readonly ParsedChange[]): { catalogue: RowIds; live: Set<EntityKey> } {
  const catalogue: RowIds = new Map();
  const live = new Set<EntityKey>();
  for (const { key, fields } of changes) {
    const { references, uniqueGroups } = CONSTRAINTS.get(key) ?? NONE;
    for (const { name, to } of references) {
      const id = fields[name];
      if (typeof id === 'string') addId(catalogue, to, id);
    }
    if (uniqueGroups.length > 0) live.add(key);
  }
  return { catalogue, live };
}

/** Throws `MutationRefused` for a row that the database would reject. */
export function requireStorable(batch: Batch, key: EntityKey, row: Values): void {
  const { references, uniqueGroups } = CONSTRAINTS.get(key) ?? NONE;
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
