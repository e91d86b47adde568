import { onBothDatabases } from '../../../sync-server/test-kit/databases.ts';
import { yearSuite } from './year.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('a simulated year', './year.suite.ts', () => yearSuite(open));
});
