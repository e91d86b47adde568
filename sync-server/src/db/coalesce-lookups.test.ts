import { expect, it } from 'vitest';
import { coalesceLookups } from './coalesce-lookups.ts';

it('starts the first lookup at once, and combines those requested meanwhile', async () => {
  const reads: (readonly string[])[] = [];
  const find = coalesceLookups(async (keys) => {
    reads.push(keys);
    return new Map(keys.flatMap((key) => (key === 'missing' ? [] : [[key, `row ${key}`]])));
  });
  expect(await Promise.all([find('a'), find('b'), find('missing'), find('b')])).toEqual([
    'row a',
    'row b',
    undefined,
    'row b',
  ]);
  expect(reads).toEqual([['a'], ['b', 'missing']]);
  expect(await find('a')).toBe('row a');
  expect(reads).toHaveLength(3);
});

it('fails those that asked together and answers later ones', async () => {
  let isBroken = true;
  const find = coalesceLookups(async (keys) => {
    if (isBroken) throw new Error('the database is gone');
    return new Map(keys.map((key) => [key, key]));
  });
  const asked = await Promise.allSettled([find('a'), find('b'), find('c')]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  isBroken = false;
  expect(await find('a')).toBe('a');
});

it('does not wait for a query that hangs', async () => {
  let count = 0;
  const find = coalesceLookups(async (keys) => {
    count += 1;
    if (count === 1) await new Promise(() => undefined);
    return new Map(keys.map((key) => [key, key]));
  });
  void find('a');
  expect(await find('b')).toBe('b');
});
