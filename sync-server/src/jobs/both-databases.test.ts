import { onBothDatabases } from '../../test-kit/databases.ts';
import { runJobsSuite } from './run-jobs.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('periodic jobs', './run-jobs.suite.ts', () => runJobsSuite(open));
});
