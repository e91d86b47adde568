/** Promises about the admin panel: what an admin can do and write, who else cannot, and how fast lists are. */
import { measureAdminLists } from '../measure/admin-lists.ts';
import { runTests, type TestCounts } from '../measure/run-tests.ts';
import { formatFigure, type Outcome, type ProductPromise } from './promise.ts';

const MAX_LIST_MS = 200;
/** Number of random sequences of edits and starter updates, on each database. */
const HISTORIES = 60;

const toOutcome = ({ passed, failed }: Pick<TestCounts, 'passed' | 'failed'>, of = 'tests'): Outcome => ({
  figure: `${passed} of ${passed + failed} ${of}`,
  holds: failed === 0 && passed > 0,
});
const journeys = async (file: string, name?: string): Promise<Outcome> =>
  toOutcome(
    await runTests(['--config', 'desktop/e2e/vitest.config.ts', file, ...(name === undefined ? [] : ['-t', name])]),
    'journeys',
  );
const tests = async (...args: readonly string[]): Promise<Outcome> => toOutcome(await runTests(args));

export const promises: readonly ProductPromise[] = [
  {
    claim:
      'In Chromium an admin lets three learners in and invites others while the mail server fails; all get their links',
    bar: 'all journeys',
    measure: () => journeys('panel-journey', 'lets an admin|invites learners'),
  },
  {
    claim:
      'Every list, form and other screen of the panel passes axe at 1280 px in light and 768 px in dark colours, fits, and makes everything reachable by keyboard',
    bar: 'all journeys',
    measure: () => journeys('panel-journey', 'accessible|keyboard'),
  },
  {
    claim:
      'A name of 10,000 letters, right-to-left text and emoji break no screen; a session that ends loses nothing typed',
    bar: 'all journeys',
    measure: () => journeys('panel-journey', 'survives|keeps a screen'),
  },
  {
    claim:
      'Learners, former admins, pages of other sites and callers without a session are refused by every admin call (both databases)',
    bar: 'all tests',
    measure: () => tests('sync-server/src/account/both-databases.test.ts', '-t', 'attacks on admins'),
  },
  {
    claim:
      'Invitations, access in bulk, numbers, mail, settings, second factor and classes do what the panel says; a failing mail server loses none of 500 invitations (both databases)',
    bar: 'all tests',
    measure: () => tests('sync-server/src/school/both-databases.test.ts'),
  },
  {
    claim:
      'In Chromium an admin writes a course with a practice and a video from scratch, tries, publishes, withdraws and restores it; two admins merge their edits',
    bar: 'all journeys',
    measure: () => journeys('content-journey'),
  },
  {
    claim:
      'In Chromium an open app has a published course within 5 s, and a changed word, a withdrawal and a restored practice as quickly; its video and its practice then work without a network',
    bar: 'all journeys',
    measure: () => journeys('open-app-journey'),
  },
  {
    claim:
      'In Chromium a course with its practice and video goes to another school’s server in a pack, and comes back byte for byte',
    bar: 'all journeys',
    measure: () => journeys('school/pack-journey'),
  },
  {
    claim:
      'In Chromium the logo and the colour that a school chooses appear on its site and in its panel, and can be taken back',
    bar: 'all journeys',
    measure: () => journeys('brand-journey'),
  },
  {
    claim:
      'In Chromium an admin hears a sample of a coach’s voice and talks to the coach before it is published; without a language model or a voice the panel says so',
    bar: 'all journeys',
    measure: () => journeys('school/coach-journey'),
  },
  {
    claim:
      'In Chromium an upload continues after a pause, an ended session and a reload, without sending a byte twice; a file that is not a video is refused before it is sent',
    bar: 'all journeys',
    measure: () => journeys('media-journey'),
  },
  {
    claim:
      'Drafts never leave the server, a published edit reaches an open app within 5 s, withdrawn rows reach devices as tombstones, ids survive reordering, versions come back, and packs go to another server and back unchanged, completely or not at all (both databases)',
    bar: 'all tests',
    measure: () => tests('sync-server/src/authoring/both-databases.test.ts'),
  },
  {
    claim:
      'In random histories of edits, deletions and starter updates nothing that a school wrote is lost, and updates reach everything that it left alone (both databases)',
    bar: 'all tests',
    measure: async () => {
      const counts = await runTests(['sync-server/src/both-databases.test.ts', '-t', 'starter updates'], {
        PARLEY_STARTER_HISTORIES: String(HISTORIES),
      });
      const { figure, holds } = toOutcome(counts);
      return { figure: `${figure}, ${HISTORIES} histories on each`, holds };
    },
  },
  {
    claim:
      'Files that are not pictures, videos of 5 GB, zip bombs, paths out of a pack, dead ends and damaged files end in a sentence and leave nothing behind (both databases)',
    bar: 'all tests',
    measure: () =>
      tests(
        'packages/catalogue/src/pack',
        'packages/catalogue/src/documents',
        'sync-server/src/media/both-databases.test.ts',
      ),
  },
  {
    claim:
      'A picture in a post is verified by its content, shown with its size while its post is published, and only to admins before and after (both databases)',
    bar: 'all tests',
    measure: () => tests('sync-server/src/media/both-databases.test.ts', '-t', 'pictures of posts'),
  },
  {
    claim:
      'Uploads, packs and files are refused to strangers, learners, former admins and pages of other sites (both databases)',
    bar: 'all tests',
    measure: () => tests('sync-server/src/both-databases.test.ts', '-t', 'attacks on files of admins'),
  },
  {
    claim:
      'With 50,000 learners and 2,000 practices on PostgreSQL, a page of any list comes within 200 ms (p95 of the slowest list)',
    bar: `${MAX_LIST_MS} ms`,
    measure: async () => {
      const { learners, practices, sessions, pages, listsP95Ms, slowestList, summaryP95Ms } = await measureAdminLists();
      return {
        figure: `${formatFigure(Math.round(listsP95Ms))} ms (${slowestList}); ${pages} pages, ${learners.toLocaleString('en')} learners with ${sessions.toLocaleString('en')} sessions, ${practices.toLocaleString('en')} practices; numbers of the whole school ${Math.round(summaryP95Ms)} ms`,
        holds: listsP95Ms <= MAX_LIST_MS,
      };
    },
  },
];
