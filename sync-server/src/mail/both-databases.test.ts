import { describe } from 'vitest';
import { onBothDatabases } from '../test-kit/databases.ts';
import { bouncesSuite } from './bounces.suite.ts';
import { mailSuite } from './mail.suite.ts';
import { remindersSuite } from './reminders.suite.ts';
import { scheduleSuite } from './schedule.suite.ts';
import { tellAdminsSuite } from './tell-admins.suite.ts';
import { unsubscribeSuite } from './unsubscribe.suite.ts';

await onBothDatabases(({ open, openShared }) => {
  describe('mail', () => mailSuite(open));
  describe('mail, reminders', () => remindersSuite(open));
  describe('mail, schedule', () => scheduleSuite(open));
  describe('mail, bounces', () => bouncesSuite(openShared));
  describe('mail, to admins', () => tellAdminsSuite(open));
  describe('mail, unsubscribing', () => unsubscribeSuite(openShared));
});
