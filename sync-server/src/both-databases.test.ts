import { adminFileAttacksSuite } from './http/attacks/admin-file-attacks.suite.ts';
import { textAttacksSuite } from './http/attacks/text-attacks.suite.ts';
import { deviceAttacksSuite } from './http/attacks/device-attacks.suite.ts';
import { catalogueSuite } from './catalogue/catalogue.suite.ts';
import { starterUpdatesSuite } from './catalogue/starter-updates.suite.ts';
import { chargesSuite } from './coach/charges.suite.ts';
import { coachingSuite } from './coach/coaching.suite.ts';
import { budgetAttacksSuite } from './coach/budget-attacks.suite.ts';
import { minutesAttacksSuite } from './coach/minutes-attacks.suite.ts';
import { connectionsSuite } from './db/connections.suite.ts';
import { tablesSuite } from './db/tables.suite.ts';
import { budgetSuite } from './metering/budget.suite.ts';
import { meteringSuite } from './metering/metering.suite.ts';
import { realtimeMeteringSuite } from './metering/realtime-metering.suite.ts';
import { onBothDatabases } from '../test-kit/databases.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, name, open, openShared }) => {
  runSuite('tables', './db/tables.suite.ts', () => tablesSuite(open));
  runSuite('attacks', './http/attacks/device-attacks.suite.ts', () => deviceAttacksSuite(openShared));
  runSuite('attacks on files of admins', './http/attacks/admin-file-attacks.suite.ts', () =>
    adminFileAttacksSuite(open),
  );
  runSuite('text attacks', './http/attacks/text-attacks.suite.ts', () => textAttacksSuite(openShared));
  runSuite('coaching', './coach/coaching.suite.ts', () => coachingSuite(openShared));
  runSuite('charges', './coach/charges.suite.ts', () => chargesSuite(open));
  runSuite('attacks on live minutes', './coach/minutes-attacks.suite.ts', () => minutesAttacksSuite(openShared));
  runSuite('budgets', './metering/budget.suite.ts', () => budgetSuite(open));
  runSuite('attacks on budgets', './coach/budget-attacks.suite.ts', () => budgetAttacksSuite(open));
  runSuite('metering', './metering/metering.suite.ts', () => meteringSuite(openShared));
  runSuite('metering of realtime sessions', './metering/realtime-metering.suite.ts', () =>
    realtimeMeteringSuite(openShared),
  );
  runSuite('catalogue', './catalogue/catalogue.suite.ts', () => catalogueSuite(open));
  runSuite('starter updates', './catalogue/starter-updates.suite.ts', () => starterUpdatesSuite(open));
  if (name === 'PostgreSQL') runSuite('connections', './db/connections.suite.ts', () => connectionsSuite(open));
});
