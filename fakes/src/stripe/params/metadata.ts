/** Reads and merges metadata. */
import { invalidRequest } from '../api-error.ts';
import type { ParamSchema } from './param-schema.ts';

const MAX_KEYS = 50;
const MAX_KEY_LENGTH = 40;
const MAX_VALUE_LENGTH = 500;

/** An empty value removes the key. */
export const metadata: ParamSchema<Record<string, string>> = {
  read: (value, path) => {
    if (typeof value === 'string') throw invalidRequest('Invalid object', { param: path });
    const read = Object.entries(value).map(([key, inner]) => {
      const param = `${path}[${key}]`;
      if (typeof inner !== 'string') throw invalidRequest('Invalid string: a hash was given', { param });
      if (key.length > MAX_KEY_LENGTH)
        throw invalidRequest(`Metadata keys have at most ${MAX_KEY_LENGTH} characters`, { param });
      if (inner.length > MAX_VALUE_LENGTH)
        throw invalidRequest(`Metadata values have at most ${MAX_VALUE_LENGTH} characters`, { param });
      return [key, inner] as const;
    });
    if (read.length > MAX_KEYS) throw invalidRequest(`Metadata has at most ${MAX_KEYS} keys`, { param: path });
    return Object.fromEntries(read);
  },
};

/** Given values replace existing ones; `''` removes all. */
export function mergeMetadata(
  current: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>> | '' | undefined,
): Record<string, string> {
  if (changes === '') return {};
  return Object.fromEntries(Object.entries({ ...current, ...changes }).filter(([, value]) => value !== ''));
}
