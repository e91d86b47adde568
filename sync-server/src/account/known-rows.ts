/**
 * Tells a device that joins an account which of its rows the account already has, because one of the account's
 * computers has imported the device's file.
 */
import { LEARNER_ENTITY_KEYS, ownerColumn } from './deletion/erase-learner.ts';
import { entities, type EntityKey } from '@parley/domain';
import { and, eq, getTableColumns } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '../db/client.ts';
import { isOneOf } from '../db/is-one-of.ts';
import { tables } from '../db/tables.ts';

/** Returns the ids that belong to the learner's own rows, including deleted ones. */
export async function listKnownRows(
  db: Database,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<string[]> {
  const known: string[] = [];
  for (const key of LEARNER_ENTITY_KEYS) {
    const id = idColumn(key);
    const rows = await db
      .select({ id })
      .from(tables[key])
      .where(and(eq(ownerColumn(key), userId), isOneOf(id, ids)));
    for (const row of rows) known.push(String(row.id));
  }
  return known;
}

function idColumn(key: EntityKey): AnyPgColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnyPgColumn>)[entities[key].key];
  if (column === undefined) throw new Error(`${key} has no column for its id`);
  return column;
}
