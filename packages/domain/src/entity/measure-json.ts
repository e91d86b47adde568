/**
 * Checks JSON values with closures that are built once from their schema. A schema builds its result and its list of
 * issues anew for each value, which takes several times as long, and rows arrive by the thousand.
 */
import type { z } from 'zod';
import type { $ZodCheck, $ZodChecks, $ZodCustom, $ZodType, $ZodTypes } from 'zod/v4/core';

/**
 * Returns an upper limit for the length of the value as JSON text, in characters, or -1 if it does not accept the
 * value. It accepts only what the schema accepts; what it does not accept is left to the schema.
 */
type MeasureJson = (value: unknown) => number;

const UNKNOWN = -1;
const decidesNothing: MeasureJson = () => UNKNOWN;

/** Each character may need an escape of six characters. */
const textBound = (text: string): number => 6 * text.length + 2;
const NUMBER_BOUND = 26;
const SEPARATOR = 1;

/** The usual form. The schemas of ids accept others as well. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** The usual form of a time. Leap days are left to the schema. */
const WIRE_TIME =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
export const isWireTime = (value: unknown): value is string => typeof value === 'string' && WIRE_TIME.test(value);

export const measureJson = (schema: z.ZodType): MeasureJson => measure(schema);

/**
 * Returns a parser that uses the schema only for values that the closures do not accept. Accepted values are not
 * copied.
 */
export function quickParser<Value>(schema: z.ZodType<Value>): (value: unknown) => Value | undefined {
  const measureValue = measure(schema);
  return (value) => (measureValue(value) >= 0 ? (value as Value) : schema.safeParse(value).data);
}

/** The library documents these parts for programs that build on it. */
const definitionOf = ({ _zod: { def } }: $ZodTypes): $ZodTypes['_zod']['def'] => def;
const checkOf = ({ _zod: { def } }: $ZodChecks): $ZodChecks['_zod']['def'] => def;
const mayBeMissing = ({ _zod: { optin } }: $ZodType): boolean => optin === 'optional';

function measure(schema: $ZodType): MeasureJson {
  const def = definitionOf(schema as $ZodTypes);
  switch (def.type) {
    case 'string':
      if ('format' in def) return measureFormat(def);
      return measureText(readBounds(def.checks));
    case 'number':
      return measureNumber(readBounds(def.checks));
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? 'false'.length : UNKNOWN);
    case 'literal':
      return measureMember(def.values);
    case 'enum':
      return measureMember(Object.values(def.entries));
    case 'nullable':
      return withNull(measure(def.innerType));
    case 'optional':
      return withUndefined(measure(def.innerType));
    case 'array':
      return measureArray(measure(def.element), readBounds(def.checks));
    case 'tuple':
      return def.rest === null && !def.checks?.length ? measureTuple(def.items.map(measure)) : decidesNothing;
    case 'object':
      return def.checks?.length ? decidesNothing : measureObject(def.shape);
    case 'record':
      return withConditions(measureRecord(measure(def.keyType), measure(def.valueType)), def.checks);
    default:
      return decidesNothing;
  }
}

interface Bounds {
  minLength: number;
  maxLength: number;
  min: number;
  /** Numbers must be greater than this. */
  above: number;
  max: number;
  isInteger: boolean;
}

/** Returns null if the schema has another kind of check. */
function readBounds(checks: readonly $ZodCheck[] = []): Bounds | null {
  const bounds: Bounds = {
    minLength: 0,
    maxLength: Infinity,
    min: -Infinity,
    above: -Infinity,
    max: Infinity,
    isInteger: false,
  };
  for (const check of checks as unknown as readonly $ZodChecks[]) {
    const def = checkOf(check);
    if (def.check === 'min_length') bounds.minLength = Math.max(bounds.minLength, def.minimum);
    else if (def.check === 'max_length') bounds.maxLength = Math.min(bounds.maxLength, def.maximum);
    else if (def.check === 'length_equals') [bounds.minLength, bounds.maxLength] = [def.length, def.length];
    else if (def.check === 'greater_than') {
      if (def.inclusive) bounds.min = Math.max(bounds.min, Number(def.value));
      else bounds.above = Math.max(bounds.above, Number(def.value));
    } else if (def.check === 'less_than' && def.inclusive) bounds.max = Math.min(bounds.max, Number(def.value));
    else if (def.check === 'number_format' && def.format === 'safeint') bounds.isInteger = true;
    else return null;
  }
  return bounds;
}

const hasLength = ({ length }: { length: number }, { minLength, maxLength }: Bounds): boolean =>
  length >= minLength && length <= maxLength;

const measureText = (bounds: Bounds | null): MeasureJson =>
  bounds === null
    ? decidesNothing
    : (value) => (typeof value === 'string' && hasLength(value, bounds) ? textBound(value) : UNKNOWN);

function measureFormat(def: { format: unknown; checks?: readonly unknown[] | undefined }): MeasureJson {
  if (def.checks?.length) return decidesNothing;
  if (def.format === 'uuid') return (value) => (isUuid(value) ? textBound(value) : UNKNOWN);
  // A schema may want a precision other than milliseconds.
  if (def.format === 'datetime' && 'precision' in def && def.precision === null)
    return (value) => (isWireTime(value) ? textBound(value) : UNKNOWN);
  return decidesNothing;
}

function measureNumber(bounds: Bounds | null): MeasureJson {
  if (bounds === null) return decidesNothing;
  const { min, above, max, isInteger } = bounds;
  return (value) =>
    typeof value === 'number' &&
    (isInteger ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
    value >= min &&
    value > above &&
    value <= max
      ? NUMBER_BOUND
      : UNKNOWN;
}

function measureMember(members: readonly unknown[]): MeasureJson {
  const known = new Set(members);
  return (value) => (known.has(value) ? textBound(String(value)) : UNKNOWN);
}

/**
 * Conditions, which are functions that accept or refuse. Other checks, such as functions that report issues, are left
 * to the schema.
 */
function withConditions(inner: MeasureJson, checks: readonly $ZodCheck[] = []): MeasureJson {
  const conditions = (checks as readonly ($ZodChecks | $ZodCustom)[]).map(({ _zod: { def } }) => def);
  if (!conditions.every((def) => def.check === 'custom' && 'fn' in def)) return decidesNothing;
  return (value) => {
    const length = inner(value);
    return length !== UNKNOWN && conditions.every(({ fn }) => fn(value) === true) ? length : UNKNOWN;
  };
}

const withNull =
  (inner: MeasureJson): MeasureJson =>
  (value) =>
    value === null ? 'null'.length : inner(value);

/** Inside an array, JSON text has null in its place. */
const withUndefined =
  (inner: MeasureJson): MeasureJson =>
  (value) =>
    value === undefined ? 'null'.length : inner(value);

function measureArray(element: MeasureJson, bounds: Bounds | null): MeasureJson {
  if (bounds === null) return decidesNothing;
  return (value) => {
    if (!Array.isArray(value) || !hasLength(value, bounds)) return UNKNOWN;
    let total = 2;
    for (const one of value) {
      const length = element(one);
      if (length === UNKNOWN) return UNKNOWN;
      total += length + SEPARATOR;
    }
    return total;
  };
}

function measureTuple(items: readonly MeasureJson[]): MeasureJson {
  return (value) => {
    if (!Array.isArray(value) || value.length !== items.length) return UNKNOWN;
    let total = 2;
    for (const [index, item] of items.entries()) {
      const length = item(value[index]);
      if (length === UNKNOWN) return UNKNOWN;
      total += length + SEPARATOR;
    }
    return total;
  };
}

/** A key that the schema does not know is left to the schema. */
function measureObject(shape: Readonly<Record<string, $ZodType>>): MeasureJson {
  const fields = new Map(Object.entries(shape).map(([name, schema]) => [name, measure(schema)]));
  const required = new Set(Object.entries(shape).flatMap(([name, schema]) => (mayBeMissing(schema) ? [] : [name])));
  return (value) => {
    if (!isPlainObject(value)) return UNKNOWN;
    let total = 2;
    let found = 0;
    for (const name of Object.keys(value)) {
      const length = fields.get(name)?.(value[name]) ?? UNKNOWN;
      if (length === UNKNOWN) return UNKNOWN;
      if (required.has(name)) found += 1;
      total += textBound(name) + length + 2 * SEPARATOR;
    }
    return found === required.size ? total : UNKNOWN;
  };
}

function measureRecord(key: MeasureJson, element: MeasureJson): MeasureJson {
  return (value) => {
    if (!isPlainObject(value)) return UNKNOWN;
    let total = 2;
    for (const name of Object.keys(value)) {
      const [ofName, ofElement] = [key(name), element(value[name])];
      if (name === '__proto__' || ofName === UNKNOWN || ofElement === UNKNOWN) return UNKNOWN;
      total += ofName + ofElement + 2 * SEPARATOR;
    }
    return total;
  };
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
