/** Facts that the caller hangs on an object. */
import { refuse } from '../refused.ts';
import type { Shape } from './shape.ts';

const MAX_KEYS = 50;
const MAX_KEY_LENGTH = 40;
const MAX_VALUE_LENGTH = 500;

/** An empty value takes the key away. */
export const metadata: Shape<Record<string, string>> = {
  read: (value, path) => {
    if (typeof value === 'string') throw refuse('Invalid object', { param: path });
    const read = Object.entries(value).map(([key, inner]) => {
      const param = `${path}[${key}]`;
      if (typeof inner !== 'string') throw refuse('Invalid string: a hash was given', { param });
      if (key.length > MAX_KEY_LENGTH)
        throw refuse(`Metadata keys have at most ${MAX_KEY_LENGTH} characters`, { param });
      if (inner.length > MAX_VALUE_LENGTH)
        throw refuse(`Metadata values have at most ${MAX_VALUE_LENGTH} characters`, { param });
      return [key, inner] as const;
    });
    if (read.length > MAX_KEYS) throw refuse(`Metadata has at most ${MAX_KEYS} keys`, { param: path });
    return Object.fromEntries(read);
  },
};

/** What is given goes over what was there; `''` clears all of it. */
export function mergeMetadata(
  was: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>> | '' | undefined,
): Record<string, string> {
  if (given === '') return {};
  return Object.fromEntries(Object.entries({ ...was, ...given }).filter(([, value]) => value !== ''));
}
