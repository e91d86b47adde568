import { PracticeId } from '@parley/domain';
import { expect, it } from 'vitest';
import { openHost } from '../test-kit/open-host.ts';
import { aCatalogue, aPractice, testId } from '../test-kit/test-catalogue.ts';

/** The reverse of the order in which a learner should take them. */
async function practicesOfAllLevels() {
  const of = (number: number, title: string, level: 'beginner' | 'intermediate' | 'advanced', category: string) => ({
    ...aPractice(PracticeId.parse(testId(number)), title, 'ready'),
    level,
    category,
  });
  return {
    ...(await aCatalogue()),
    practices: [
      of(21, 'Argue a budget', 'advanced', 'Business'),
      of(22, 'Take a complaint', 'intermediate', 'Customers'),
      of(23, 'Visit a doctor', 'beginner', 'Travel'),
      of(24, 'Order a coffee', 'beginner', 'Travel'),
    ],
  };
}

it('shows the practices for beginners first, then by category and title', async () => {
  const { ask, host } = await openHost({ loadCatalogue: practicesOfAllLevels });
  expect((await ask.catalogue.practices()).map(({ title }) => title)).toEqual([
    'Order a coffee',
    'Visit a doctor',
    'Take a complaint',
    'Argue a budget',
  ]);
  await host.close();
});
