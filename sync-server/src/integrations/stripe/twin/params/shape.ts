/**
 * The little language in which a table says which parameters an endpoint takes: those that are sent to the twin, with the names and the types
 * that the `stripe` package has. What is not in a table is refused.
 */
import type { Form } from '../form.ts';
import { refuse, refuseUnmodelled } from '../refused.ts';

export interface Shape<out T> {
  readonly read: (value: Form, path: string) => T;
  readonly isNeeded?: boolean;
}

export interface NeededShape<out T> extends Shape<T> {
  readonly isNeeded: true;
}

type Needed<P> = { [K in keyof P]-?: undefined extends P[K] ? never : K }[keyof P];
type Table<P> = { [K in Needed<P>]: NeededShape<P[K]> } & { [K in Exclude<keyof P, Needed<P>>]?: Shape<P[K]> };
type NoMore<T, P> = { [K in Exclude<keyof T, keyof P>]: never };
type ValueOf<S> = S extends Shape<infer V> ? V : never;
type NeededKeys<T> = { [K in keyof T]: T[K] extends NeededShape<unknown> ? K : never }[keyof T];
type Values<T> = { [K in NeededKeys<T>]: ValueOf<T[K]> } & { [K in Exclude<keyof T, NeededKeys<T>>]?: ValueOf<T[K]> };
export type Read<S> = ValueOf<S>;

export const needed = <T>(shape: Shape<T>): NeededShape<T> => ({ ...shape, isNeeded: true });

/** `fields<Stripe.ProductCreateParams>()({ name: needed(text), ... })` */
export const fields =
  <P extends object>() =>
  <T extends Table<P>>(table: T & NoMore<T, P>): Shape<Values<T>> => ({
    read: (value, path) => {
      if (typeof value === 'string') throw refuse('Invalid object', { param: path });
      const shapes: Readonly<Record<string, Shape<unknown>>> = table;
      const inner = (name: string) => (path === '' ? name : `${path}[${name}]`);
      const unknown = Object.keys(value).find((name) => !Object.hasOwn(shapes, name));
      if (unknown !== undefined)
        throw refuse(`Received unknown parameter (or one that the twin does not model): ${inner(unknown)}`, {
          code: 'parameter_unknown',
          param: inner(unknown),
        });
      const read: Record<string, unknown> = {};
      for (const [name, shape] of Object.entries(shapes)) {
        const given = value[name];
        if (given !== undefined) read[name] = shape.read(given, inner(name));
        else if (shape.isNeeded === true)
          throw refuse(`Missing required param: ${inner(name)}.`, { code: 'parameter_missing', param: inner(name) });
      }
      return read as Values<T>;
    },
  });

const plain = (kind: string, value: Form, path: string): string => {
  if (typeof value !== 'string') throw refuse(`Invalid ${kind}: a hash was given`, { param: path });
  return value;
};

const MAX_TEXT = 5_000;

export const text: Shape<string> = {
  read: (value, path) => {
    const read = plain('string', value, path);
    if (read === '')
      throw refuse(`'${path}' cannot be unset, and an empty value would unset it`, {
        code: 'parameter_invalid_empty',
        param: path,
      });
    if (read.length > MAX_TEXT) throw refuse(`Invalid string: must be at most ${MAX_TEXT} characters`, { param: path });
    return read;
  },
};

export const integer: Shape<number> = {
  read: (value, path) => {
    const read = plain('integer', value, path);
    if (!/^-?\d{1,15}$/.test(read))
      throw refuse(`Invalid integer: ${read}`, { code: 'parameter_invalid_integer', param: path });
    return Number(read);
  },
};

/** Whole, and neither negative nor larger than Stripe's largest amount. */
export const amount: Shape<number> = {
  read: (value, path) => {
    const read = integer.read(value, path);
    if (read < 0 || read > 99_999_999)
      throw refuse(`Invalid integer: ${read} is out of range`, { code: 'parameter_invalid_integer', param: path });
    return read;
  },
};

export const flag: Shape<boolean> = {
  read: (value, path) => {
    const read = plain('boolean', value, path);
    if (read !== 'true' && read !== 'false') throw refuse(`Invalid boolean: ${read}`, { param: path });
    return read === 'true';
  },
};

export const oneOf = <const V extends string>(...values: readonly V[]): Shape<V> => ({
  read: (value, path) => {
    const read = plain('string', value, path);
    const found = values.find((known) => known === read);
    if (found === undefined) throw refuse(`Invalid ${path}: must be one of ${values.join(', ')}`, { param: path });
    return found;
  },
});

/** Stripe takes `stripe` and the twin takes these; the others are Stripe's alone. */
export const someOf = <const V extends string>(
  values: readonly V[],
  { unmodelled }: { unmodelled: readonly string[] },
): Shape<V> => ({
  read: (value, path) => {
    const read = plain('string', value, path);
    if (unmodelled.includes(read)) throw refuseUnmodelled(`the value '${read}' of the parameter ${path}`, path);
    return oneOf(...values).read(value, path);
  },
});

export const listOf = <T>(shape: Shape<T>): Shape<T[]> => ({
  read: (value, path) => {
    if (typeof value === 'string') throw refuse('Invalid array', { param: path });
    return Object.entries(value).map(([index, inner]) => {
      if (!/^\d+$/.test(index)) throw refuse('Invalid array', { param: path });
      return shape.read(inner, `${path}[${index}]`);
    });
  },
});

/** The first that fits; what the last one says otherwise. */
export const either = <A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> => ({
  read: (value, path) => {
    try {
      return first.read(value, path);
    } catch {
      return second.read(value, path);
    }
  },
});

/** An empty value unsets. */
export const emptyable = <T>(shape: Shape<T>): Shape<T | ''> => ({
  read: (value, path) => (value === '' ? '' : shape.read(value, path)),
});
