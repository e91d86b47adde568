import { describe } from 'vitest';
import { attackTextSuite } from './app/attack-text.suite.ts';
import { attackSuite } from './app/attack.suite.ts';
import { catalogueSuite } from './catalogue/catalogue.suite.ts';
import { chargesSuite } from './coach/charges.suite.ts';
import { coachingSuite } from './coach/coaching.suite.ts';
import { budgetAttacksSuite } from './coach/budget-attacks.suite.ts';
import { minutesAttacksSuite } from './coach/minutes-attacks.suite.ts';
import { connectionsSuite } from './db/connections.suite.ts';
import { tablesSuite } from './db/tables.suite.ts';
import { budgetSuite } from './metering/budget.suite.ts';
import { meteringSuite } from './metering/metering.suite.ts';
import { onBothDatabases } from './test-kit/databases.ts';
import { yearSuite } from './test-kit/year/year.suite.ts';

await onBothDatabases(({ name, open, openShared }) => {
  describe('tables', () => tablesSuite(open));
  describe('attacks', () => attackSuite(openShared));
  describe('attacks by text', () => attackTextSuite(openShared));
  describe('coaching', () => coachingSuite(openShared));
  describe('charges', () => chargesSuite(open));
  describe('attacks on minutes', () => minutesAttacksSuite(openShared));
  describe('budgets', () => budgetSuite(open));
  describe('attacks on budgets', () => budgetAttacksSuite(open));
  describe('metering', () => meteringSuite(openShared));
  describe('catalogue', () => catalogueSuite(open));
  describe('a year', () => yearSuite(open));
  if (name === 'PostgreSQL') describe('connections', () => connectionsSuite(open));
});
