/** A row's fields between the program, the database and the wire. */
import type { Mutation } from '@parley/contract';
import { entities, type Field, isProjection, saySame, SERVER_SET, someFieldsSchema } from '@parley/domain';
import { getTableColumns } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { LearnerKey } from './learner-keys.ts';
import { type StoredKey, tables } from './tables.ts';

export type Values = Record<string, unknown>;

export function keyColumn(key: StoredKey): AnySQLiteColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnySQLiteColumn>)[entities[key].key];
  if (column === undefined) throw new Error(`${key} has no key`);
  return column;
}

export const fieldOf = (key: StoredKey, name: string): Field => {
  const field = (entities[key].fields as Record<string, Field>)[name];
  if (field === undefined) throw new Error(`${entities[key].name} has no field ${name}`);
  return field;
};

/** The server's fields of a row that the learner's device creates. */
export const accountDefaults = (key: LearnerKey): Values =>
  Object.fromEntries(entities[key].accountFields.map((name) => [name, fieldOf(key, name).initial ?? null]));

/** What a row begins with where nothing else is said. */
export const startingValues = (key: LearnerKey): Values =>
  Object.fromEntries(
    Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { initial }]) =>
      initial === undefined ? [] : [[name, initial]],
    ),
  );

export const parseFields = (key: StoredKey, values: Values): Values => someFieldsSchema(entities[key]).parse(values);

const toWireValue = (field: Field, value: unknown): Mutation['fields'][string] =>
  field.kind === 'time' && value instanceof Date ? value.toISOString() : (value as Mutation['fields'][string]);

/** Those that a device may send: the server stamps the others whatever a device says, and projections are computed on both sides. */
const travels = (key: StoredKey, name: string): boolean =>
  !SERVER_SET.has(name) && name in entities[key].fields && !isProjection(entities[key], name);

export const toWire = (key: StoredKey, values: Values): Mutation['fields'] =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => travels(key, name))
      .map(([name, value]) => [name, toWireValue(fieldOf(key, name), value)]),
  );

/** A new row as it travels: its key is the change's, and what is as it begins need not be said. */
export const creationToWire = (key: LearnerKey, values: Values): Mutation['fields'] =>
  Object.fromEntries(
    Object.entries(toWire(key, values)).filter(
      ([name, value]) => name !== entities[key].key && value !== fieldOf(key, name).initial,
    ),
  );

/** A learner's whole row as it travels. */
export const wholeRowToWire = (key: LearnerKey, row: Values): Mutation['fields'] =>
  toWire(key, Object.fromEntries(Object.entries(row).filter(([name]) => !entities[key].accountFields.includes(name))));

/** JSON is the same whatever the order of its keys: databases have one of their own. */
export const onlyChanged = (current: Values, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !saySame([name], values, current)));
