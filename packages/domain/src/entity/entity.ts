/** An entity is its name, its key, its owner and its fields; row and wire schemas are drawn from these. */
import { z } from 'zod';
import { type Field, type FieldValue, integer, nullable, time, withInitial } from './field.ts';

/** Who may write a row, and with that how it syncs. `account` and `server` rows are written by the server alone. */
export type Ownership = 'catalogue' | 'learner' | 'account' | 'server';

/** How two devices' writes of one row meet: field by field, or insert-if-absent. */
export type RowMerge = 'fields' | 'append_only';

/**
 * How two devices' values of one field meet. `docs/protocol.md` lists the rule of every field.
 *
 * - `last_writer`: the value with the later time.
 * - `set_once`: a value that is there stays; only null and empty text are replaced.
 * - `maximum`, `minimum`: the greater or the lesser of two numbers; `true` is greater than `false`.
 * - `objectives`: the union of both lists, by objective.
 * - `words`: the union of both lists, by word, with the attempts of each device counted.
 * - `unit`: all fields of the entity's unit are taken from one writer, the one who brought the row furthest.
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

/** Fields that only make sense together. Of two values of the unit the one with the greater rank wins, then the later one. */
export interface MergeUnit {
  /** The field whose value gives the rank. */
  readonly rankField: string;
  /** Values of the rank field, lowest rank first. */
  readonly ranks: readonly string[];
}

export type Fields = Readonly<Record<string, Field>>;

/** On every row, whether or not the specification shows them. */
const timestamps = { createdAt: time(), updatedAt: time() } as const;

/** On every synced row: set by the server when it accepts a write. */
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
  /** Rules of fields that are not `last_writer`. */
  readonly rules: Readonly<Record<string, FieldRule>>;
  readonly unit: MergeUnit | null;
  /** Fields that only the server may write, in a row that its learner otherwise may. */
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

export const ruleOf = (of: Entity, fieldName: string): FieldRule => of.rules[fieldName] ?? 'last_writer';

/** Fields that devices and the server compute for themselves and never send. */
export const isProjection = (of: Entity, fieldName: string): boolean => ruleOf(of, fieldName) === 'projection';

/** camelCase, as TypeScript has it, to snake_case, as SQL has it. */
export const columnName = (fieldName: string): string =>
  fieldName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const nullableIf = (schema: z.ZodType, isNullable: boolean): z.ZodType => (isNullable ? schema.nullable() : schema);

/** ISO 8601 on the wire, `Date` inside. */
const WireTime = z.codec(z.iso.datetime(), z.date(), {
  decode: (iso) => new Date(iso),
  encode: (date) => date.toISOString(),
});

const fieldSchemas = (of: Entity, schemaOf: (field: Field) => z.ZodType): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(of.fields).map(([name, field]) => [name, nullableIf(schemaOf(field), field.nullable)]),
  );

/** A schema takes longer to build than ten rows take to parse: each is built once. */
const oncePerEntity = <Made>(make: (of: Entity) => Made): ((of: Entity) => Made) => {
  const made = new WeakMap<Entity, Made>();
  return (of) => {
    const known = made.get(of) ?? make(of);
    made.set(of, known);
    return known;
  };
};

const builtRowSchema = oncePerEntity((of) => z.strictObject(fieldSchemas(of, (field) => field.schema)));

/** Parses a row as the program holds it; unknown names are refused. */
export const rowSchema = <E extends Entity>(of: E): z.ZodType<EntityRow<E>> =>
  builtRowSchema(of) as unknown as z.ZodType<EntityRow<E>>;

/** Parses a row as it travels, into the row as the program holds it. */
export const wireSchema: (of: Entity) => z.ZodObject<Record<string, z.ZodType>> = oncePerEntity((of) =>
  z.strictObject(fieldSchemas(of, (field) => (field.kind === 'time' ? WireTime : field.schema))),
);

/** Any of a row's fields, as the program holds them, parsed in one go. */
export const someFieldsSchema: (of: Entity) => z.ZodType<Record<string, unknown>> = oncePerEntity((of) =>
  builtRowSchema(of).partial(),
);

/** Any of a row's fields as they travel. */
export const someWireFieldsSchema: (of: Entity) => z.ZodType<Record<string, unknown>> = oncePerEntity((of) =>
  wireSchema(of).partial(),
);
