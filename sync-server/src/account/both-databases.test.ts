import { onBothDatabases } from '../../test-kit/databases.ts';
import { accessSuite } from './access/access.suite.ts';
import { accountAttacksSuite } from './sign-in/account-attacks.suite.ts';
import { accountViewSuite } from './view/account-view.suite.ts';
import { deviceRegistrySuite } from './devices/device-registry.suite.ts';
import { adminAttacksSuite } from './administration/admin-attacks.suite.ts';
import { adminRightsSuite } from './administration/admin-rights.suite.ts';
import { confirmationSuite } from './sign-in/confirmation.suite.ts';
import { deletionSuite } from './deletion/deletion.suite.ts';
import { devicesSuite } from './devices/devices.suite.ts';
import { exportSuite } from './export/export.suite.ts';
import { signInStrangersSuite } from './sign-in/sign-in-strangers.suite.ts';
import { signInMessagesSuite } from './sign-in/sign-in-messages.suite.ts';
import { signInSuite } from './sign-in/sign-in.suite.ts';
import { webSessionSuite } from './web-session/web-session.suite.ts';
import { webSignInSuite } from './web-session/web-sign-in.suite.ts';
import { accountPagesSuite } from './web-session/account-pages.suite.ts';
import { pageLanguagesSuite } from './web-session/page-languages.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open, openShared }) => {
  runSuite('accounts', './devices/device-registry.suite.ts', () => deviceRegistrySuite(open));
  runSuite('devices', './devices/devices.suite.ts', () => devicesSuite(openShared));
  runSuite('sign-in', './sign-in/sign-in.suite.ts', () => signInSuite(openShared));
  runSuite('sign-in messages', './sign-in/sign-in-messages.suite.ts', () => signInMessagesSuite(openShared));
  // This suite pauses codes for the whole database, so it needs its own.
  runSuite('strangers signing in', './sign-in/sign-in-strangers.suite.ts', () => signInStrangersSuite(open));
  runSuite('access', './access/access.suite.ts', () => accessSuite(openShared));
  runSuite('admin rights', './administration/admin-rights.suite.ts', () => adminRightsSuite(openShared));
  runSuite('account view', './view/account-view.suite.ts', () => accountViewSuite(openShared));
  runSuite('step-up', './sign-in/confirmation.suite.ts', () => confirmationSuite(open));
  runSuite('deletion', './deletion/deletion.suite.ts', () => deletionSuite(open));
  runSuite('export before deletion', './export/export.suite.ts', () => exportSuite(open));
  runSuite('web', './web-session/account-pages.suite.ts', () => accountPagesSuite(openShared));
  runSuite('languages of pages', './web-session/page-languages.suite.ts', () => pageLanguagesSuite(openShared));
  runSuite('web sessions', './web-session/web-session.suite.ts', () => webSessionSuite(openShared));
  runSuite('web sign-in', './web-session/web-sign-in.suite.ts', () => webSignInSuite(openShared));
  runSuite('attacks on accounts', './sign-in/account-attacks.suite.ts', () => accountAttacksSuite(openShared));
  runSuite('attacks on admins', './administration/admin-attacks.suite.ts', () => adminAttacksSuite(openShared));
});
