import { onBothDatabases } from '../../test-kit/databases.ts';
import { brandSuite } from './brand.suite.ts';
import { classesSuite } from './classes.suite.ts';
import { learnerPlanSuite } from './learner-plan.suite.ts';
import { learnersSuite } from './learners.suite.ts';
import { numbersSuite } from './numbers.suite.ts';
import { secondFactorSuite } from './second-factor.suite.ts';
import { retentionSuite } from './retention.suite.ts';
import { schoolSuite } from './school.suite.ts';
import { siteTextsSuite } from './site-texts/site-texts.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('learners of a school', './learners.suite.ts', () => learnersSuite(open));
  runSuite('the plan of a learner', './learner-plan.suite.ts', () => learnerPlanSuite(open));
  runSuite('a school', './school.suite.ts', () => schoolSuite(open));
  runSuite('the numbers of a school', './numbers.suite.ts', () => numbersSuite(open));
  runSuite('the brand of a school', './brand.suite.ts', () => brandSuite(open));
  runSuite('texts of the site', './site-texts/site-texts.suite.ts', () => siteTextsSuite(open));
  runSuite('classes', './classes.suite.ts', () => classesSuite(open));
  runSuite('retention', './retention.suite.ts', () => retentionSuite(open));
  runSuite('second factor', './second-factor.suite.ts', () => secondFactorSuite(open));
});
