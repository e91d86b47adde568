import { describe, expect, it } from 'vitest';
import { lastPageBefore, PAGE_SIZE } from './list-search.ts';

describe('a page of a list that no longer exists', () => {
  it.each([
    ['its only row was removed', 2, PAGE_SIZE, 1],
    ['many rows were removed', 9, 2 * PAGE_SIZE + 1, 3],
  ])('leads to the last page when %s', (_name, page, total, expected) => {
    expect(lastPageBefore(page, total)).toBe(expected);
  });

  it.each([
    ['it is the last one', 2, PAGE_SIZE + 1],
    ['it is the first one', 1, 3],
    ['the list is empty, which the list says', 2, 0],
  ])('stays open when %s', (_name, page, total) => {
    expect(lastPageBefore(page, total)).toBeNull();
  });
});
