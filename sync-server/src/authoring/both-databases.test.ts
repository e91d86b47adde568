import { onBothDatabases } from '../../test-kit/databases.ts';
import { authoringSuite } from './authoring.suite.ts';
import { coursePacksSuite } from './packs/course-packs.suite.ts';
import { packVideosSuite } from './packs/pack-videos.suite.ts';
import { draftPracticeSuite } from './draft-practice.suite.ts';
import { postsSuite } from './posts.suite.ts';
import { tryCoachSuite } from './try-coach.suite.ts';
import { tryPracticeSuite } from './try-practice.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('authoring', './authoring.suite.ts', () => authoringSuite(open));
  runSuite('posts', './posts.suite.ts', () => postsSuite(open));
  runSuite('drafts by a language model', './draft-practice.suite.ts', () => draftPracticeSuite(open));
  runSuite('practices to try', './try-practice.suite.ts', () => tryPracticeSuite(open));
  runSuite('coaches to try', './try-coach.suite.ts', () => tryCoachSuite(open));
  runSuite('course packs', './packs/course-packs.suite.ts', () => coursePacksSuite(open));
  runSuite('course packs with videos', './packs/pack-videos.suite.ts', () => packVideosSuite(open));
});
