import { onBothDatabases } from '../../test-kit/databases.ts';
import { bouncesSuite } from './bounces/bounces.suite.ts';
import { bouncingAddressSuite } from './bounces/bouncing-address.suite.ts';
import { mailSuite } from './mail.suite.ts';
import { planUpgradeSuite } from './reminders/plan-upgrade.suite.ts';
import { remindersSuite } from './reminders/reminders.suite.ts';
import { mailClaimSuite } from './queue/claim.suite.ts';
import { mailScheduleSuite } from './queue/schedule.suite.ts';
import { adminNoticesSuite } from './reminders/admin-notices.suite.ts';
import { unsubscribeSuite } from './unsubscribe/unsubscribe.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open, openShared }) => {
  runSuite('mail', './mail.suite.ts', () => mailSuite(open));
  runSuite('mail reminders', './reminders/reminders.suite.ts', () => remindersSuite(open));
  runSuite('mail about larger plans', './reminders/plan-upgrade.suite.ts', () => planUpgradeSuite(open));
  runSuite('mail schedule', './queue/schedule.suite.ts', () => mailScheduleSuite(open));
  runSuite('mail overtaken by decisions', './queue/claim.suite.ts', () => mailClaimSuite(open));
  runSuite('mail bounces', './bounces/bounces.suite.ts', () => bouncesSuite(openShared));
  runSuite('mail to an address that bounced', './bounces/bouncing-address.suite.ts', () => bouncingAddressSuite(open));
  runSuite('mail to admins', './reminders/admin-notices.suite.ts', () => adminNoticesSuite(open));
  runSuite('mail unsubscribing', './unsubscribe/unsubscribe.suite.ts', () => unsubscribeSuite(openShared));
});
