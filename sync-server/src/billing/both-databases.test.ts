import { describe } from 'vitest';
import { onBothDatabases } from '../test-kit/databases.ts';
import { buyingSuite } from './buying.suite.ts';
import { eventsSuite } from './events.suite.ts';
import { leavingSuite } from './leaving.suite.ts';
import { livesSuite } from './lives.suite.ts';
import { minutesSuite } from './minutes.suite.ts';
import { plansPageSuite } from './plans-page.suite.ts';
import { trialSuite } from './trial.suite.ts';

await onBothDatabases(({ open }) => {
  describe('buying', () => buyingSuite(open));
  describe('minutes of a plan', () => minutesSuite(open));
  describe('trial', () => trialSuite(open));
  describe('events of the provider', () => eventsSuite(open));
  describe('accounts that leave', () => leavingSuite(open));
  describe('plans in a browser', () => plansPageSuite(open));
  describe('lives of subscriptions', () => livesSuite(open));
});
