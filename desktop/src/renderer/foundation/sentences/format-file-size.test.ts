import { expect, it } from 'vitest';
import { formatFileSize } from './format-file-size.ts';

it.each([
  [22, '1 KB'],
  [6_300, '6 KB'],
  [1_048_000, '1023 KB'],
  [1_048_500, '1 MB'],
  [3_400_000_000, '3,242 MB'],
])('formats %i bytes as %s', (bytes, said) => expect(formatFileSize(bytes)).toBe(said));
