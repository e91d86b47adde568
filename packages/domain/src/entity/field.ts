/** The field types used to declare entities. Each type has its parser; the databases map types to columns. */
import { z } from 'zod';
import { isUuid, measureJson } from './measure-json.ts';

export type FieldKind = 'id' | 'text' | 'enum' | 'boolean' | 'integer' | 'real' | 'time' | 'json';

export interface Field<Value = unknown, Nullable extends boolean = boolean> {
  readonly kind: FieldKind;
  /** Parses the in-memory value (times are `Date`s). */
  readonly schema: z.ZodType<Value>;
  /**
   * Accepts only values that `schema` accepts and leaves unchanged; a value that it does not accept may still be valid.
   */
  readonly quickCheck: (value: unknown) => boolean;
  /** The schema of a `json` value, used to document the protocol. */
  readonly shape: z.ZodType | null;
  /** The maximum length of a `json` value as text, in characters. */
  readonly maxLength: number | null;
  readonly nullable: Nullable;
  readonly unique: boolean;
  /** The members of an `enum`, with the enumeration's name in the database. */
  readonly enumeration: { readonly name: string; readonly values: readonly [string, ...string[]] } | null;
  readonly references: { readonly entity: string; readonly field: string } | null;
  /** The value for rows that were created before the field existed or without it. */
  readonly initial: (Nullable extends true ? Value | null : Value) | undefined;
}

export type FieldValue<F extends Field> =
  F extends Field<infer Value, infer Nullable> ? (Nullable extends true ? Value | null : Value) : never;

const makeField = <Value>(
  kind: FieldKind,
  schema: z.ZodType<Value>,
  quickCheck: (value: unknown) => boolean = () => false,
): Field<Value, false> => ({
  kind,
  schema,
  quickCheck,
  shape: null,
  maxLength: null,
  nullable: false,
  unique: false,
  enumeration: null,
  references: null,
  initial: undefined,
});

const MAX_INT32 = 2_147_483_647;

export const id = <Value extends string>(schema: z.ZodType<Value>): Field<Value, false> =>
  makeField('id', schema, isUuid);
export const anyId = (): Field<string, false> => makeField('id', z.uuid(), isUuid);
export const text = (maxLength: number): Field<string, false> =>
  makeField('text', z.string().max(maxLength), (value) => typeof value === 'string' && value.length <= maxLength);
/** Short text with its own grammar. */
export const parsedText = <Value extends string>(schema: z.ZodType<Value>): Field<Value, false> =>
  makeField('text', schema);
export const boolean = (): Field<boolean, false> =>
  makeField('boolean', z.boolean(), (value) => typeof value === 'boolean');
/** A whole number. Durations are in seconds and money is in minor units. */
export const integer = (min: number = 0, max: number = MAX_INT32): Field<number, false> =>
  makeField(
    'integer',
    z.number().int().min(min).max(max),
    (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
  );
export const score = (): Field<number, true> =>
  nullable(
    makeField('real', z.number().min(0).max(100), (value) => typeof value === 'number' && value >= 0 && value <= 100),
  );
export const time = (): Field<Date, false> =>
  makeField('time', z.date(), (value) => value instanceof Date && !Number.isNaN(value.getTime()));

/**
 * Validates a value but keeps it unchanged, so that keys added by a newer app survive this version. `maxLength` limits the whole value as
 * JSON text, including unknown keys.
 */
export function json<Value>(shape: z.ZodType<Value>, maxLength: number): Field<Value, false> {
  const measure = measureJson(shape);
  const schema = z.custom<Value>(
    (value) => shape.safeParse(value).success && JSON.stringify(value).length <= maxLength,
  );
  const quickCheck = (value: unknown): boolean => {
    const length = measure(value);
    return length >= 0 && length <= maxLength;
  };
  return { ...makeField('json', schema, quickCheck), shape, maxLength };
}

export function enumeration<const Values extends readonly [string, ...string[]]>(
  name: string,
  values: Values,
): Field<Values[number], false> {
  const members: ReadonlySet<unknown> = new Set(values);
  return {
    ...makeField<Values[number]>('enum', z.enum(values), (value) => members.has(value)),
    enumeration: { name, values },
  };
}

export const nullable = <Value>(field: Field<Value, false>): Field<Value, true> => ({
  ...field,
  nullable: true,
  initial: null,
});

export const unique = <F extends Field>(field: F): F => ({ ...field, unique: true });
export const references = <F extends Field>(field: F, entity: string, key: string): F => ({
  ...field,
  references: { entity, field: key },
});

export const withInitial = <Value, Nullable extends boolean>(
  field: Field<Value, Nullable>,
  initial: Nullable extends true ? Value | null : Value,
): Field<Value, Nullable> => ({ ...field, initial });
