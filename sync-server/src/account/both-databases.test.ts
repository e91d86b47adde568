import { describe } from 'vitest';
import { onBothDatabases } from '../test-kit/databases.ts';
import { accessSuite } from './access.suite.ts';
import { accountAttacksSuite } from './account-attacks.suite.ts';
import { accountViewSuite } from './account-view.suite.ts';
import { accountSuite } from './account.suite.ts';
import { adminAttacksSuite } from './admin-attacks.suite.ts';
import { adminsSuite } from './admins.suite.ts';
import { confirmationSuite } from './confirmation.suite.ts';
import { deletionSuite } from './deletion.suite.ts';
import { devicesSuite } from './devices.suite.ts';
import { exportSuite } from './export.suite.ts';
import { signInStrangersSuite } from './sign-in-strangers.suite.ts';
import { signInMessagesSuite } from './sign-in-messages.suite.ts';
import { signInSuite } from './sign-in.suite.ts';
import { webSessionSuite } from './web-session.suite.ts';
import { webSuite } from './web.suite.ts';

await onBothDatabases(({ open, openShared }) => {
  describe('accounts', () => accountSuite(open));
  describe('devices', () => devicesSuite(openShared));
  describe('sign-in', () => signInSuite(openShared));
  describe('sign-in messages', () => signInMessagesSuite(openShared));
  // What it guesses switches codes off on the whole database.
  describe('strangers who sign in', () => signInStrangersSuite(open));
  describe('access', () => accessSuite(openShared));
  describe('access of admins', () => adminsSuite(openShared));
  describe('account view', () => accountViewSuite(openShared));
  describe('step-up', () => confirmationSuite(open));
  describe('deletion', () => deletionSuite(open));
  describe('export before deletion', () => exportSuite(open));
  describe('web', () => webSuite(openShared));
  describe('web sessions', () => webSessionSuite(openShared));
  describe('attacks on accounts', () => accountAttacksSuite(openShared));
  describe('attacks on admins', () => adminAttacksSuite(openShared));
});
