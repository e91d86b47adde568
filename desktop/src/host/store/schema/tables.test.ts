import Database from 'better-sqlite3';
import { columnName, entities, ENTITY_KEYS, type Field } from '@parley/domain';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenHost, openHost } from '../../test-kit/open-host.ts';
import { LEARNER_KEYS } from './learner-keys.ts';

interface Column {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}

const SQLITE_TYPE: Record<Field['kind'], string> = {
  id: 'TEXT',
  text: 'TEXT',
  enum: 'TEXT',
  json: 'TEXT',
  boolean: 'INTEGER',
  integer: 'INTEGER',
  time: 'INTEGER',
  real: 'REAL',
};

let opened: OpenHost;
let sqlite: Database.Database;
beforeAll(async () => {
  opened = await openHost();
  sqlite = new Database(join(opened.dataDir, 'parley.sqlite'), { readonly: true });
});
afterAll(async () => {
  sqlite.close();
  await opened.host.close();
});

const columnsOf = (table: string): Column[] => sqlite.pragma(`table_info(${table})`) as Column[];
const stored = ENTITY_KEYS.filter((key) => entities[key].owner !== 'server');

describe('a migrated database', () => {
  it.each(stored)('has exactly the columns that %s declares', (key) => {
    const { name, key: primaryKey, fields } = entities[key];
    const declared = Object.entries(fields as Record<string, Field>)

      .map(([fieldName, field]) => ({
        name: columnName(fieldName),
        type: SQLITE_TYPE[field.kind],
        notnull: field.nullable ? 0 : 1,
        pk: fieldName === primaryKey ? 1 : 0,
      }));
    const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
    const actual = columnsOf(name).map(({ name: column, type, notnull, pk }) => ({
      name: column,
      type: type.toUpperCase(),
      notnull,
      pk,
    }));
    const clocks = { name: 'field_clocks', type: 'TEXT', notnull: 1, pk: 0 };
    expect(actual.toSorted(byName)).toEqual([...declared, clocks].toSorted(byName));
  });

  it('stores nothing that belongs only to the server', () => {
    expect(columnsOf(entities.customers.name)).toEqual([]);
  });

  it('lets learner rows refer only to learner rows', () => {
    const learnerTables = new Set<string>(LEARNER_KEYS.map((key) => entities[key].name));
    for (const key of stored) {
      const parents = sqlite.pragma(`foreign_key_list(${entities[key].name})`) as { table: string }[];
      for (const { table } of parents) expect(learnerTables).toContain(table);
      if (learnerTables.has(entities[key].name) && key !== 'users')
        expect(parents.map(({ table }) => table)).toContain('users');
    }
  });

  it('lists every learner table in LEARNER_KEYS', () => {
    expect(stored.filter((key) => entities[key].owner === 'learner')).toEqual(LEARNER_KEYS);
  });
});
