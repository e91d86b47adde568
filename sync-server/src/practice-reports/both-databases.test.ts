import { onBothDatabases } from '../../test-kit/databases.ts';
import { practiceReportsSuite } from './practice-reports.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('practice reports', './practice-reports.suite.ts', () => practiceReportsSuite(open));
});
