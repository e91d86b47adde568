/**
 * A small schema language for the parameters of an endpoint. A table lists the parameters that the fake supports, with the names and
 * types of the `stripe` package; all others are rejected.
 */
import type { Form } from '../form.ts';
import { invalidRequest, unsupportedByFake } from '../api-error.ts';

export interface ParamSchema<out T> {
  readonly read: (value: Form, path: string) => T;
  readonly isNeeded?: boolean;
}

export interface RequiredParamSchema<out T> extends ParamSchema<T> {
  readonly isNeeded: true;
}

type RequiredNames<P> = { [K in keyof P]-?: undefined extends P[K] ? never : K }[keyof P];
type Table<P> = { [K in RequiredNames<P>]: RequiredParamSchema<P[K]> } & {
  [K in Exclude<keyof P, RequiredNames<P>>]?: ParamSchema<P[K]>;
};
type NoExtraNames<T, P> = { [K in Exclude<keyof T, keyof P>]: never };
type ValueOf<S> = S extends ParamSchema<infer V> ? V : never;
type RequiredKeys<T> = { [K in keyof T]: T[K] extends RequiredParamSchema<unknown> ? K : never }[keyof T];
type Values<T> = { [K in RequiredKeys<T>]: ValueOf<T[K]> } & {
  [K in Exclude<keyof T, RequiredKeys<T>>]?: ValueOf<T[K]>;
};
export type ParamsOf<S> = ValueOf<S>;

export const required = <T>(schema: ParamSchema<T>): RequiredParamSchema<T> => ({ ...schema, isNeeded: true });

export const objectOf =
  <P extends object>() =>
  <T extends Table<P>>(table: T & NoExtraNames<T, P>): ParamSchema<Values<T>> => ({
    read: (value, path) => {
      if (typeof value === 'string') throw invalidRequest('Invalid object', { param: path });
      const schemas: Readonly<Record<string, ParamSchema<unknown>>> = table;
      const inner = (name: string) => (path === '' ? name : `${path}[${name}]`);
      const unknown = Object.keys(value).find((name) => !Object.hasOwn(schemas, name));
      if (unknown !== undefined)
        throw invalidRequest(`Received unknown parameter (or one that the fake does not model): ${inner(unknown)}`, {
          code: 'parameter_unknown',
          param: inner(unknown),
        });
      const read: Record<string, unknown> = {};
      for (const [name, schema] of Object.entries(schemas)) {
        const given = value[name];
        if (given !== undefined) read[name] = schema.read(given, inner(name));
        else if (schema.isNeeded === true)
          throw invalidRequest(`Missing required param: ${inner(name)}.`, {
            code: 'parameter_missing',
            param: inner(name),
          });
      }
      return read as Values<T>;
    },
  });

const requireString = (kind: string, value: Form, path: string): string => {
  if (typeof value !== 'string') throw invalidRequest(`Invalid ${kind}: a hash was given`, { param: path });
  return value;
};

const MAX_TEXT = 5_000;

export const stringParam: ParamSchema<string> = {
  read: (value, path) => {
    const read = requireString('string', value, path);
    if (read === '')
      throw invalidRequest(`'${path}' cannot be unset, and an empty value would unset it`, {
        code: 'parameter_invalid_empty',
        param: path,
      });
    if (read.length > MAX_TEXT)
      throw invalidRequest(`Invalid string: must be at most ${MAX_TEXT} characters`, { param: path });
    return read;
  },
};

export const integer: ParamSchema<number> = {
  read: (value, path) => {
    const read = requireString('integer', value, path);
    if (!/^-?\d{1,15}$/.test(read))
      throw invalidRequest(`Invalid integer: ${read}`, { code: 'parameter_invalid_integer', param: path });
    return Number(read);
  },
};

/** A non-negative integer up to Stripe's largest amount. */
export const amount: ParamSchema<number> = {
  read: (value, path) => {
    const read = integer.read(value, path);
    if (read < 0 || read > 99_999_999)
      throw invalidRequest(`Invalid integer: ${read} is out of range`, {
        code: 'parameter_invalid_integer',
        param: path,
      });
    return read;
  },
};

export const booleanParam: ParamSchema<boolean> = {
  read: (value, path) => {
    const read = requireString('boolean', value, path);
    if (read !== 'true' && read !== 'false') throw invalidRequest(`Invalid boolean: ${read}`, { param: path });
    return read === 'true';
  },
};

export const enumOf = <const V extends string>(...values: readonly V[]): ParamSchema<V> => ({
  read: (value, path) => {
    const read = requireString('string', value, path);
    const found = values.find((known) => known === read);
    if (found === undefined)
      throw invalidRequest(`Invalid ${path}: must be one of ${values.join(', ')}`, { param: path });
    return found;
  },
});

/** Accepts the values that the fake supports and names those that only Stripe does. */
export const supportedValue = <const V extends string>(
  values: readonly V[],
  { unmodelled }: { unmodelled: readonly string[] },
): ParamSchema<V> => ({
  read: (value, path) => {
    const read = requireString('string', value, path);
    if (unmodelled.includes(read)) throw unsupportedByFake(`the value '${read}' of the parameter ${path}`, path);
    return enumOf(...values).read(value, path);
  },
});

export const listOf = <T>(schema: ParamSchema<T>): ParamSchema<T[]> => ({
  read: (value, path) => {
    if (typeof value === 'string') throw invalidRequest('Invalid array', { param: path });
    return Object.entries(value).map(([index, inner]) => {
      if (!/^\d+$/.test(index)) throw invalidRequest('Invalid array', { param: path });
      return schema.read(inner, `${path}[${index}]`);
    });
  },
});

/** Uses the first schema that matches, or the second one's error. */
export const either = <A, B>(first: ParamSchema<A>, second: ParamSchema<B>): ParamSchema<A | B> => ({
  read: (value, path) => {
    try {
      return first.read(value, path);
    } catch {
      return second.read(value, path);
    }
  },
});

/** An empty value unsets the field. */
export const clearable = <T>(schema: ParamSchema<T>): ParamSchema<T | ''> => ({
  read: (value, path) => (value === '' ? '' : schema.read(value, path)),
});
