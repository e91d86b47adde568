import { expect, it } from 'vitest';
import { scrollTopFor } from './scroll-top-for.ts';

const seen = { topPx: 100, heightPx: 200 };

it('does not move a line that is in sight', () => {
  expect(scrollTopFor({ topPx: 100, heightPx: 40 }, seen)).toBeNull();
  expect(scrollTopFor({ topPx: 260, heightPx: 40 }, seen)).toBeNull();
});

it('moves a line that is out of sight to the middle', () => {
  expect(scrollTopFor({ topPx: 261, heightPx: 40 }, seen)).toBe(181);
  expect(scrollTopFor({ topPx: 90, heightPx: 40 }, seen)).toBe(10);
  expect(scrollTopFor({ topPx: 20, heightPx: 40 }, seen)).toBe(0);
});
