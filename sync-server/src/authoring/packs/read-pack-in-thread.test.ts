import { readPack } from '@parley/catalogue/pack';
import { explain } from '@parley/domain';
import { expect, it } from 'vitest';
import { readPackInThread } from './read-pack-in-thread.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const media = new Map();
const aPack = (lines: number) =>
  new Map([
    ['industries.yaml', encode('industries:\n  - key: logistics\n    name: Logistics\n')],
    ['practices/long.yaml', encode(`acts:\n${'  - { a: [b, c] }\n'.repeat(lines)}`)],
  ]);

it('reads a large pack as it reads a small one', async () => {
  const files = aPack(10_000);
  expect(await readPackInThread({ files, media })).toEqual(readPack(files, media));
});

it('answers others while a large pack is read', async () => {
  let isReading = true;
  const reading = readPackInThread({ files: aPack(10_000), media }).finally(() => (isReading = false));
  let turns = 0;
  while (isReading) {
    turns += 1;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await reading;
  expect(turns).toBeGreaterThan(5);
});

it.each([
  ['time', { timeoutMs: 100 }],
  ['memory', { memoryMb: 50 }],
])('gives up a pack that takes too much %s', async (_what, limit) => {
  const { contents, problems } = await readPackInThread({ files: aPack(200_000), media }, limit);
  expect(contents).toEqual([]);
  expect(problems).toEqual([{ file: '', line: null, ...explain('pack.too_large') }]);
});
