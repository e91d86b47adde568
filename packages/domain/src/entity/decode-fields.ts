/**
 * Decodes the fields of rows one by one, because rows arrive by the thousand and a schema of whole rows takes several
 * times as long. Values that a field's quick check does not accept are still left to the field's own schema.
 */
import { z } from 'zod';
import { type Entity, memoizePerEntity, wireSchema } from './entity.ts';
import type { Field } from './field.ts';
import { isWireTime } from './measure-json.ts';

/** Returns the in-memory value, or undefined if the value is not valid. */
export type DecodeField = (value: unknown) => unknown;

type DecodeFields = (fields: Readonly<Record<string, unknown>>) => Record<string, unknown> | null;

const createDecoder =
  ({ nullable }: Field, schema: z.ZodType, decodeQuickly: DecodeField): DecodeField =>
  (value) => {
    if (value === null) return nullable ? null : undefined;
    return decodeQuickly(value) ?? schema.safeParse(value).data;
  };

const decodeTimeQuickly: DecodeField = (value) => (isWireTime(value) ? new Date(value) : undefined);

const checkQuickly =
  ({ quickCheck }: Field): DecodeField =>
  (value) =>
    quickCheck(value) ? value : undefined;

/** Returns a decoder of a field's wire values, for which `schema` may replace the field's own schema. */
export const wireDecoder = (field: Field, schema: z.ZodType): DecodeField =>
  createDecoder(field, schema, field.kind === 'time' ? decodeTimeQuickly : checkQuickly(field));

function combineDecoders(decoders: ReadonlyMap<string, DecodeField>): DecodeFields {
  return (fields) => {
    const decoded: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      const kept = decoders.get(name)?.(value);
      if (kept === undefined) return null;
      decoded[name] = kept;
    }
    return decoded;
  };
}

/** Decodes any subset of a row's fields from their wire form. The result is null if one of them is unknown or not valid. */
export const wireFieldsDecoder: (of: Entity) => DecodeFields = memoizePerEntity((of) =>
  combineDecoders(
    new Map(
      Object.entries(of.fields).map(([name, field]) => [
        name,
        wireDecoder(field, wireSchema(of).shape[name] ?? z.never()),
      ]),
    ),
  ),
);

/** Does the same for fields in their in-memory form. */
export const rowFieldsDecoder: (of: Entity) => DecodeFields = memoizePerEntity((of) =>
  combineDecoders(
    new Map(
      Object.entries(of.fields).map(([name, field]) => [name, createDecoder(field, field.schema, checkQuickly(field))]),
    ),
  ),
);
