/** Converts a row's fields between program, database and wire format. */
import type { Mutation } from '@parley/contract';
import {
  entities,
  type Field,
  isProjection,
  haveSameValues,
  SERVER_FIELDS,
  partialRowSchema,
  rowFieldsDecoder,
} from '@parley/domain';
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

export function ownerColumn(key: LearnerKey): AnySQLiteColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnySQLiteColumn>)['userId'];
  if (column === undefined) throw new Error(`${key} has no userId column`);
  return column;
}

export const requireField = (key: StoredKey, name: string): Field => {
  const field = (entities[key].fields as Record<string, Field>)[name];
  if (field === undefined) throw new Error(`${entities[key].name} has no field ${name}`);
  return field;
};

/** Metadata of an entity's fields. It is collected once, because that takes longer than writing a row. */
interface FieldRules {
  /** Initial values of the fields that have one. */
  initial: Values;
  /** Initial values of the fields that only the server sets. */
  account: Values;
  /** The fields that a device may send: the server overwrites its own fields, and both sides compute projections. */
  sent: ReadonlyMap<string, Field>;
}

const rulesByKey = new Map<StoredKey, FieldRules>();

function rulesOf(key: StoredKey): FieldRules {
  const known = rulesByKey.get(key);
  if (known !== undefined) return known;
  const fields = Object.entries(entities[key].fields as Record<string, Field>);
  const rules: FieldRules = {
    initial: Object.fromEntries(
      fields.flatMap(([name, { initial }]) => (initial === undefined ? [] : [[name, initial]])),
    ),
    account: Object.fromEntries(
      entities[key].accountFields.map((name) => [name, requireField(key, name).initial ?? null]),
    ),
    sent: new Map(fields.filter(([name]) => !SERVER_FIELDS.has(name) && !isProjection(entities[key], name))),
  };
  rulesByKey.set(key, rules);
  return rules;
}

/** Initial values of the fields that only the server sets. */
export const accountDefaults = (key: LearnerKey): Values => rulesOf(key).account;

/** Initial values of all fields that have one. */
export const initialValues = (key: LearnerKey): Values => rulesOf(key).initial;

/** Throws a `ZodError` if a value is not valid. */
export const parseFieldValues = (key: StoredKey, values: Values): Values =>
  rowFieldsDecoder(entities[key])(values) ?? partialRowSchema(entities[key]).parse(values);

const toWireValue = ({ kind }: Field, value: unknown): Mutation['fields'][string] =>
  kind === 'time' && value instanceof Date ? value.toISOString() : (value as Mutation['fields'][string]);

/** The fields that a device may send, in wire format, except those for which `isLeftOut` is true. */
function toWireExcept(
  key: StoredKey,
  values: Values,
  isLeftOut: (name: string, field: Field, wire: unknown) => boolean,
): Mutation['fields'] {
  const { sent } = rulesOf(key);
  const fields: Mutation['fields'] = {};
  for (const [name, value] of Object.entries(values)) {
    const field = sent.get(name);
    if (field === undefined) continue;
    const wire = toWireValue(field, value);
    if (!isLeftOut(name, field, wire)) fields[name] = wire;
  }
  return fields;
}

export const toWire = (key: StoredKey, values: Values): Mutation['fields'] => toWireExcept(key, values, () => false);

/** A new row in wire format, without its key (which is part of the change) and without initial values. */
export const creationToWire = (key: LearnerKey, values: Values): Mutation['fields'] =>
  toWireExcept(key, values, (name, { initial }, wire) => name === entities[key].key || wire === initial);

/** A learner's complete row in wire format. */
export const wholeRowToWire = (key: LearnerKey, row: Values): Mutation['fields'] =>
  toWireExcept(key, row, (name) => entities[key].accountFields.includes(name));

/** Compares JSON values regardless of key order, because databases store keys in their own order. */
export const changedValues = (current: Values, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !haveSameValues([name], values, current)));
