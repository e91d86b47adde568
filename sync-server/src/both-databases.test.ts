/** The same suites on PGlite and on PostgreSQL: what holds on a laptop must hold in production. */
import { afterAll, describe } from 'vitest';
import { accessSuite } from './account/access.suite.ts';
import { accountSuite } from './account/account.suite.ts';
import { accountAttacksSuite } from './account/account-attacks.suite.ts';
import { adminAttacksSuite } from './account/admin-attacks.suite.ts';
import { adminsSuite } from './account/admins.suite.ts';
import { exportSuite } from './account/export.suite.ts';
import { signInMessagesSuite } from './account/sign-in-messages.suite.ts';
import { webSessionSuite } from './account/web-session.suite.ts';
import { accountViewSuite } from './account/account-view.suite.ts';
import { deletionSuite } from './account/deletion.suite.ts';
import { devicesSuite } from './account/devices.suite.ts';
import { signInSuite } from './account/sign-in.suite.ts';
import { webSuite } from './account/web.suite.ts';
import { attackTextSuite } from './app/attack-text.suite.ts';
import { attackSuite } from './app/attack.suite.ts';
import { billingSuite } from './billing/billing.suite.ts';
import { coachingSuite } from './coach/coaching.suite.ts';
import { catalogueSuite } from './catalogue/catalogue.suite.ts';
import { connectionsSuite } from './db/connections.suite.ts';
import { tablesSuite } from './db/tables.suite.ts';
import { mailSuite } from './mail/mail.suite.ts';
import { remindersSuite } from './mail/reminders.suite.ts';
import { scheduleSuite } from './mail/schedule.suite.ts';
import { unsubscribeSuite } from './mail/unsubscribe.suite.ts';
import { meteringSuite } from './metering/metering.suite.ts';
import { convergenceSuite } from './sync/convergence.suite.ts';
import { everyTableSuite } from './sync/every-table.suite.ts';
import { mergeSuite } from './sync/merge.suite.ts';
import { pokesOfTwoServersSuite, pokesSuite } from './sync/pokes.suite.ts';
import { pullSuite } from './sync/pull.suite.ts';
import { purgeSuite } from './sync/purge.suite.ts';
import { pushSuite } from './sync/push.suite.ts';
import { streamCutsSuite } from './sync/stream-cuts.suite.ts';
import { streamSuite } from './sync/stream.suite.ts';
import { DATABASES, openOnce } from './test-kit/databases.ts';
import { yearSuite } from './test-kit/year/year.suite.ts';

const started = await Promise.all(
  DATABASES.map(async (database) => {
    try {
      await database.start();
      return { database, name: database.name, isThere: true };
    } catch (error) {
      // Not every machine can run it: its half is skipped, and says why.
      const reason = error instanceof Error ? error.message : String(error);
      console.warn(`${database.name} cannot start on this machine, its tests are skipped: ${reason}`);
      return { database, name: `${database.name} (cannot start: ${reason})`, isThere: false };
    }
  }),
);

for (const { database, name, isThere } of started)
  describe.skipIf(!isThere)(`on ${name}`, () => {
    const shared = openOnce(database.open);
    afterAll(async () => {
      await shared.close();
      await database.stop();
    });
    describe('tables', () => tablesSuite(database.open));
    describe('accounts', () => accountSuite(database.open));
    describe('devices', () => devicesSuite(shared.open));
    describe('every table', () => everyTableSuite(database.open));
    describe('convergence', () => convergenceSuite(database.open));
    describe('pushes', () => pushSuite(database.open));
    describe('merges', () => mergeSuite(database.open));
    describe('pulls', () => pullSuite(database.open));
    describe('stream', () => streamSuite(shared.open));
    describe('stream, cut', () => streamCutsSuite(shared.open));
    describe('pokes', () => pokesSuite(database.open));
    describe('purge', () => purgeSuite(database.open));
    describe('attacks', () => attackSuite(shared.open));
    describe('attacks by text', () => attackTextSuite(shared.open));
    describe('coaching', () => coachingSuite(shared.open));
    describe('mail', () => mailSuite(database.open));
    describe('mail, reminders', () => remindersSuite(database.open));
    describe('billing', () => billingSuite(database.open));
    describe('mail, schedule', () => scheduleSuite(database.open));
    describe('mail, unsubscribing', () => unsubscribeSuite(shared.open));
    describe('metering', () => meteringSuite(shared.open));
    // After the attacks, which count on it that nobody is an admin yet.
    describe('sign-in', () => signInSuite(shared.open));
    describe('sign-in messages', () => signInMessagesSuite(shared.open));
    describe('access', () => accessSuite(shared.open));
    describe('access of admins', () => adminsSuite(shared.open));
    describe('account view', () => accountViewSuite(shared.open));
    describe('deletion', () => deletionSuite(database.open));
    describe('export before deletion', () => exportSuite(database.open));
    describe('web', () => webSuite(shared.open));
    describe('web sessions', () => webSessionSuite(shared.open));
    describe('attacks on accounts', () => accountAttacksSuite(shared.open));
    describe('attacks on admins', () => adminAttacksSuite(shared.open));
    describe('catalogue', () => catalogueSuite(database.open));
    describe('a year', () => yearSuite(database.open));
    const { openForTwo } = database;
    if (openForTwo !== null) describe('pokes of two servers', () => pokesOfTwoServersSuite(openForTwo));
    if (database.name === 'PostgreSQL') describe('connections', () => connectionsSuite(database.open));
  });
