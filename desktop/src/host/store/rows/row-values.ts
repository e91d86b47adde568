/** Converts a row's fields between program, database and wire format. */
import type { Mutation } from '@parley/contract';
import { entities, type Field, isProjection, haveSameValues, SERVER_FIELDS, partialRowSchema } from '@parley/domain';
import { getTableColumns } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { LearnerKey } from '../schema/learner-keys.ts';
import { type StoredKey, tables } from '../schema/tables.ts';

export type Values = Record<string, unknown>;

export function keyColumn(key: StoredKey): AnySQLiteColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnySQLiteColumn>)[entities[key].key];
  if (column === undefined) throw new Error(`${key} has no key`);
  return column;
}

export const requireField = (key: StoredKey, name: string): Field => {
  const field = (entities[key].fields as Record<string, Field>)[name];
  if (field === undefined) throw new Error(`${entities[key].name} has no field ${name}`);
  return field;
};

/** Initial values of the fields that only the server sets. */
export const accountDefaults = (key: LearnerKey): Values =>
  Object.fromEntries(entities[key].accountFields.map((name) => [name, requireField(key, name).initial ?? null]));

/** Initial values of all fields that have one. */
export const initialValues = (key: LearnerKey): Values =>
  Object.fromEntries(
    Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { initial }]) =>
      initial === undefined ? [] : [[name, initial]],
    ),
  );

export const parseFieldValues = (key: StoredKey, values: Values): Values =>
  partialRowSchema(entities[key]).parse(values);

const toWireValue = (field: Field, value: unknown): Mutation['fields'][string] =>
  field.kind === 'time' && value instanceof Date ? value.toISOString() : (value as Mutation['fields'][string]);

/** Whether a device may send the field: the server overwrites its own fields, and both sides compute projections. */
const isSent = (key: StoredKey, name: string): boolean =>
  !SERVER_FIELDS.has(name) && name in entities[key].fields && !isProjection(entities[key], name);

export const toWire = (key: StoredKey, values: Values): Mutation['fields'] =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => isSent(key, name))
      .map(([name, value]) => [name, toWireValue(requireField(key, name), value)]),
  );

/** A new row in wire format, without its key (which the change names) and without initial values. */
export const creationToWire = (key: LearnerKey, values: Values): Mutation['fields'] =>
  Object.fromEntries(
    Object.entries(toWire(key, values)).filter(
      ([name, value]) => name !== entities[key].key && value !== requireField(key, name).initial,
    ),
  );

/** A learner's complete row in wire format. */
export const wholeRowToWire = (key: LearnerKey, row: Values): Mutation['fields'] =>
  toWire(key, Object.fromEntries(Object.entries(row).filter(([name]) => !entities[key].accountFields.includes(name))));

/** Compares JSON regardless of key order, because databases store keys in their own order. */
export const changedValues = (current: Values, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !haveSameValues([name], values, current)));
