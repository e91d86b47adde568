import { expect, it } from 'vitest';
import { collectRows } from './collect-rows.ts';

/** A list on the server to which `change` adds rows, or from which it removes them, after the first page was read. */
function aChangingList(names: readonly string[], change: (rows: readonly string[]) => readonly string[]) {
  let rows = names;
  let pages = 0;
  return async ({ page, pageSize }: { page: number; pageSize: number }) => {
    const answer = { total: rows.length, rows: rows.slice(page * pageSize, (page + 1) * pageSize) };
    pages += 1;
    if (pages === 1) rows = change(rows);
    return answer;
  };
}

const collect = (loadPage: ReturnType<typeof aChangingList>) =>
  collectRows({ loadPage, rowId: (name: string) => name, pageSize: 2, onProgress: () => undefined });

it.each([
  ['nothing changes', (rows: readonly string[]) => rows, ['a', 'b', 'c', 'd', 'e']],
  ['a row is added before the first', (rows: readonly string[]) => ['new', ...rows], ['new', 'a', 'b', 'c', 'd', 'e']],
  ['a row of the first page goes', (rows: readonly string[]) => rows.slice(1), ['b', 'c', 'd', 'e']],
  ['the last row moves to the front', () => ['e', 'a', 'b', 'c', 'd'], ['e', 'a', 'b', 'c', 'd']],
])('collects each row once when %s', async (_what, change, rows) => {
  expect(await collect(aChangingList(['a', 'b', 'c', 'd', 'e'], change))).toEqual({ rows, isComplete: true });
});

it('ends although rows are added all the time, repeats none, and says that some may be missing', async () => {
  let added = 0;
  const { rows, isComplete } = await collect(async ({ page, pageSize }) => {
    const all = Array.from({ length: 5 + added }, (_row, index) => `row ${added - index}`);
    added += 1;
    return { total: all.length, rows: all.slice(page * pageSize, (page + 1) * pageSize) };
  });
  expect(new Set(rows).size).toBe(rows.length);
  expect(isComplete).toBe(false);
});
