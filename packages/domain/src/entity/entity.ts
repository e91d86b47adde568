/** Declares an entity by its name, key, owner and fields; row and wire schemas are derived from these. */
import { z } from 'zod';
import { type Field, type FieldValue, integer, nullable, time, withInitial } from './field.ts';

/**
 * Determines who may write a row, which also decides how it syncs. Only the server writes `account` and `server` rows.
 */
export type Ownership = 'catalogue' | 'learner' | 'account' | 'server';

/** How two devices' writes to one row are merged: field by field, or insert-if-absent. */
export type RowMerge = 'fields' | 'append_only';

/**
 * How two devices' values of one field are merged. `docs/protocol.md` lists the rule of every field.
 *
 * - `last_writer`: the later value wins.
 * - `set_once`: an existing value is kept; only null and empty text are replaced.
 * - `maximum`, `minimum`: the greater or the smaller of two numbers; `true` is greater than `false`.
 * - `objectives`: the union of both lists, by objective.
 * - `words`: the union of both lists, by word, with attempts counted per device.
 * - `unit`: all fields of the entity's unit come from one writer, the one whose row is most advanced.
 * - `projection`: never sent; it is computed from other rows.
 */
export const FIELD_RULES = [
  'last_writer',
  'set_once',
  'maximum',
  'minimum',
  'objectives',
  'words',
  'unit',
  'projection',
] as const;
export type FieldRule = (typeof FIELD_RULES)[number];

/** Fields that only make sense together. The value with the higher rank wins; between equal ranks the later one wins. */
export interface MergeUnit {
  /** The field whose value determines the rank. */
  readonly rankField: string;
  /** Values of the rank field, lowest rank first. */
  readonly ranks: readonly string[];
}

export type Fields = Readonly<Record<string, Field>>;

/** Every row has these, including entities whose specification omits them. */
const timestamps = { createdAt: time(), updatedAt: time() } as const;

/** Every synced row has these. The server sets them when it accepts a write. */
const syncColumns = {
  syncVersion: withInitial(integer(0, Number.MAX_SAFE_INTEGER), 0),
  deletedAt: nullable(time()),
} as const;

type WithMixins<F extends Fields> = F & typeof timestamps & typeof syncColumns;

export type RowOf<F extends Fields> = { [Name in keyof F]: FieldValue<F[Name]> };

export interface Entity<Name extends string = string, F extends Fields = Fields> {
  readonly name: Name;
  readonly key: string;
  readonly owner: Ownership;
  readonly merge: RowMerge;
  /** Merge rules of the fields that are not `last_writer`. */
  readonly rules: Readonly<Record<string, FieldRule>>;
  readonly unit: MergeUnit | null;
  /** Fields that only the server may write, in a row that the learner may otherwise write. */
  readonly accountFields: readonly string[];
  readonly uniqueTogether: readonly (readonly string[])[];
  readonly fields: F;
}

export interface EntityDeclaration<Name extends string, F extends Fields> {
  name: Name;
  key: keyof F & string;
  owner: Ownership;
  merge?: RowMerge;
  rules?: Partial<Record<keyof F & string, FieldRule>>;
  unit?: { rankField: keyof F & string; ranks: readonly string[] };
  accountFields?: readonly (keyof F & string)[];
  uniqueTogether?: readonly (readonly (keyof F & string)[])[];
  fields: F;
}

export function entity<const Name extends string, F extends Fields>(
  declaration: EntityDeclaration<Name, F>,
): Entity<Name, WithMixins<F>> {
  return {
    name: declaration.name,
    key: declaration.key,
    owner: declaration.owner,
    merge: declaration.merge ?? 'fields',
    rules: { ...declaration.rules } as Record<string, FieldRule>,
    unit: declaration.unit ?? null,
    accountFields: declaration.accountFields ?? [],
    uniqueTogether: declaration.uniqueTogether ?? [],
    fields: { ...timestamps, ...syncColumns, ...declaration.fields },
  };
}

export type EntityRow<E extends Entity> = RowOf<E['fields']>;

export const mergeRuleOf = (of: Entity, fieldName: string): FieldRule => of.rules[fieldName] ?? 'last_writer';

/** Devices and the server compute a projection themselves and never send it. */
export const isProjection = (of: Entity, fieldName: string): boolean => mergeRuleOf(of, fieldName) === 'projection';

/** Converts TypeScript's camelCase to SQL's snake_case. */
export const columnName = (fieldName: string): string =>
  fieldName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const nullableIf = (schema: z.ZodType, isNullable: boolean): z.ZodType => (isNullable ? schema.nullable() : schema);

/** Times are ISO 8601 on the wire and `Date` objects in the program. */
const WireTime = z.codec(z.iso.datetime(), z.date(), {
  decode: (iso) => new Date(iso),
  encode: (date) => date.toISOString(),
});

const fieldSchemas = (of: Entity, schemaOf: (field: Field) => z.ZodType): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(of.fields).map(([name, field]) => [name, nullableIf(schemaOf(field), field.nullable)]),
  );

/** Building a schema takes longer than parsing ten rows, so each schema is built once. */
export const memoizePerEntity = <Value>(make: (of: Entity) => Value): ((of: Entity) => Value) => {
  const cache = new WeakMap<Entity, Value>();
  return (of) => {
    const cachedValue = cache.get(of) ?? make(of);
    cache.set(of, cachedValue);
    return cachedValue;
  };
};

/** Parses a row from its wire form into its in-memory form. */
export const wireSchema: (of: Entity) => z.ZodObject<Record<string, z.ZodType>> = memoizePerEntity((of) =>
  z.strictObject(fieldSchemas(of, (field) => (field.kind === 'time' ? WireTime : field.schema))),
);

/** Parses any subset of a row's fields in their in-memory form. */
export const partialRowSchema: (of: Entity) => z.ZodType<Record<string, unknown>> = memoizePerEntity((of) =>
  z.strictObject(fieldSchemas(of, (field) => field.schema)).partial(),
);
