/** Promises about the admin panel: what an admin can do, who else cannot, and how fast lists are. */
import { measureAdminLists } from '../measure/admin-lists.ts';
import { runTests, type TestCounts } from '../measure/run-tests.ts';
import { formatFigure, type Outcome, type ProductPromise } from './promise.ts';

const MAX_LIST_MS = 200;

const toOutcome = ({ passed, failed }: Pick<TestCounts, 'passed' | 'failed'>, of = 'tests'): Outcome => ({
  figure: `${passed} of ${passed + failed} ${of}`,
  holds: failed === 0 && passed > 0,
});
const journeys = async (name: string): Promise<Outcome> =>
  toOutcome(await runTests(['--config', 'desktop/e2e/vitest.config.ts', 'panel-journey', '-t', name]), 'journeys');

export const promises: readonly ProductPromise[] = [
  {
    claim:
      'In Chromium an admin lets three learners in and invites others while the mail server fails; all get their links',
    bar: 'all journeys',
    measure: () => journeys('lets an admin|invites learners'),
  },
  {
    claim:
      'Every screen of the panel passes axe at 1280 px in light and 768 px in dark colours, fits, and works by keyboard',
    bar: 'all journeys',
    measure: () => journeys('accessible|keyboard'),
  },
  {
    claim:
      'A name of 10,000 letters, right-to-left text and emoji break no screen; a session that ends loses nothing typed',
    bar: 'all journeys',
    measure: () => journeys('survives|keeps a screen'),
  },
  {
    claim:
      'Learners, former admins, pages of other sites and callers without a session are refused by every admin call (both databases)',
    bar: 'all tests',
    measure: async () =>
      toOutcome(await runTests(['sync-server/src/account/both-databases.test.ts', '-t', 'attacks on admins'])),
  },
  {
    claim:
      'Invitations, access in bulk, numbers, mail, settings, second factor and classes do what the panel says; a failing mail server loses none of 500 invitations (both databases)',
    bar: 'all tests',
    measure: async () => toOutcome(await runTests(['sync-server/src/school/both-databases.test.ts'])),
  },
  {
    claim: 'With 50,000 learners on PostgreSQL, a page of any list comes within 200 ms (p95 of the slowest list)',
    bar: `${MAX_LIST_MS} ms`,
    measure: async () => {
      const { learners, practices, pages, listsP95Ms, slowestList, summaryP95Ms } = await measureAdminLists();
      return {
        figure: `${formatFigure(Math.round(listsP95Ms))} ms (${slowestList}); ${pages} pages, ${learners.toLocaleString('en')} learners, ${practices.toLocaleString('en')} practices; numbers of the whole school ${Math.round(summaryP95Ms)} ms`,
        holds: listsP95Ms <= MAX_LIST_MS,
      };
    },
  },
];
