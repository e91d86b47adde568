import { expect, it } from 'vitest';
import { formatsOf } from './formats.ts';

it.each([
  ['en-GB', 'one, two, three', '1.3 seconds', '6.3 kB', '3.4 GB'],
  ['de', 'one, two und three', '1,3 Sekunden', '6,3 kB', '3,4 GB'],
  ['zh-Hans', 'one、two、three', '1.3秒钟', '6.3 kB', '3.4 GB'],
])('writes lists, seconds and sizes as readers of %s do', (locale, list, seconds, small, large) => {
  const { formatList, formatSeconds, formatBytes } = formatsOf(locale);
  expect(formatList(['one', 'two', 'three'])).toBe(list);
  expect(formatSeconds(1.26)).toBe(seconds);
  // Some languages put a non-breaking space there.
  const sizes = [formatBytes(6_300), formatBytes(3_400_000_000)].map((size) => size.replaceAll('\u00a0', ' '));
  expect(sizes).toEqual([small, large]);
});
