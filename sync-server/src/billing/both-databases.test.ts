import { onBothDatabases } from '../../test-kit/databases.ts';
import { buyingSuite } from './checkout.suite.ts';
import { webhooksSuite } from './webhooks.suite.ts';
import { cancellationSuite } from './cancellation.suite.ts';
import { lifecycleSuite } from './lifecycle.suite.ts';
import { latePaymentSuite } from './late-payment.suite.ts';
import { mirrorCatalogueSuite } from './mirror-catalogue.suite.ts';
import { remainingTimeSuite } from './remaining-time.suite.ts';
import { plansPageSuite } from './plans-page.suite.ts';
import { trialSuite } from './trial.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('buying', './checkout.suite.ts', () => buyingSuite(open));
  runSuite("a plan's minutes", './remaining-time.suite.ts', () => remainingTimeSuite(open));
  runSuite('the mirrored catalogue', './mirror-catalogue.suite.ts', () => mirrorCatalogueSuite(open));
  runSuite('late payments', './late-payment.suite.ts', () => latePaymentSuite(open));
  runSuite('trial', './trial.suite.ts', () => trialSuite(open));
  runSuite('events of the provider', './webhooks.suite.ts', () => webhooksSuite(open));
  runSuite('cancellation with the account', './cancellation.suite.ts', () => cancellationSuite(open));
  runSuite('the plans page', './plans-page.suite.ts', () => plansPageSuite(open));
  runSuite('subscription lifecycles', './lifecycle.suite.ts', () => lifecycleSuite(open));
});
