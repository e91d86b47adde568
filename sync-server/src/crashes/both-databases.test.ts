import { onBothDatabases } from '../../test-kit/databases.ts';
import { crashesSuite } from './crashes.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('crash reports', './crashes.suite.ts', () => crashesSuite(open));
});
