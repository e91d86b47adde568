import { expect, it } from 'vitest';
import { grantLabel, homeTitle, requestCount } from './attention.ts';

it.each([
  [0, 'Nothing needs your attention'],
  [1, 'One thing needs your attention'],
  [3, 'Three things need your attention'],
  [1_200, '1,200 things need your attention'],
])('says how many things need attention: %i', (access, title) => {
  expect(homeTitle({ access, mail: 0, payments: 0, reports: 0, crashes: 0, posts: 0 })).toBe(title);
});

it('counts all crash reports as one thing', () => {
  expect(homeTitle({ access: 1, mail: 0, payments: 0, reports: 0, crashes: 40, posts: 0 })).toBe(
    'Two things need your attention',
  );
  expect(homeTitle({ access: 1, mail: 0, payments: 0, reports: 0, crashes: 40, posts: 1 })).toBe(
    'Three things need your attention',
  );
});

it('counts each report of a learner', () => {
  expect(homeTitle({ access: 0, mail: 0, payments: 0, reports: 2, crashes: 0, posts: 0 })).toBe(
    'Two things need your attention',
  );
});

it('counts requests in words and figures', () => {
  expect([requestCount(1), requestCount(4)]).toEqual(['One request', '4 requests']);
  expect([grantLabel(1), grantLabel(4)]).toEqual(['Approve this learner', 'Approve all 4']);
});
