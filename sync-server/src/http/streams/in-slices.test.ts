import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { inSlices } from './in-slices.ts';

it('splits long texts and files without changing their bytes', async () => {
  // The slice boundaries fall inside characters of this text.
  const pieces = ['語'.repeat(50_000), 'short', new Uint8Array(1_048_576).fill(7)];
  const slices: Uint8Array[] = [];
  for await (const slice of inSlices(Readable.from(pieces))) slices.push(slice);
  expect(Math.max(...slices.map((slice) => slice.byteLength))).toBe(65_536);
  expect(slices.some((slice) => slice.byteLength === 5)).toBe(true);
  const expected = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
  expect((await buffer(Readable.from(slices))).equals(expected)).toBe(true);
});
