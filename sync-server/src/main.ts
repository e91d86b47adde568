/** Starts the server, tells its parent process where it listens, and stops without cutting a request off. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { keepNewFilesPrivate } from '@parley/file-permissions';
import { buildApp } from './app/build-app.ts';
import { connectMail } from './app/connect-mail.ts';
import { connectPayments } from './app/connect-payments.ts';
import { connectLocalModels, connectServices } from './app/connect-services.ts';
import { readConfig } from './app/config.ts';
import { bringInStarterCatalogue } from './catalogue/index.ts';
import { openDatabase } from './db/client.ts';
import { announceNewEpoch, PURGE_EVERY_MS, purgeTombstones } from './sync/index.ts';

keepNewFilesPrivate();
const config = ((): ReturnType<typeof readConfig> => {
  try {
    return readConfig(process.env);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
})();

const database = await openDatabase(
  config.databaseUrl === null ? { type: 'folder', dir: config.dataDir } : { type: 'postgres', url: config.databaseUrl },
);
if (process.argv.includes('--new-epoch')) {
  // After a restore that nothing shows, such as a dump that was read back into the same database.
  const reason = await announceNewEpoch(database);
  console.log(JSON.stringify({ msg: 'epoch_changed', reason }));
  await database.close();
  process.exit(0);
}
const mail = await connectMail(config);
const shop = await connectPayments(config);
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));
const app = await buildApp({
  database,
  version,
  logLevel: config.logLevel,
  trustProxy: config.trustProxy,
  allowedHosts: config.allowedHosts,
  ai: {
    ...(await connectServices(config)),
    local: await connectLocalModels(config),
    dailyLimitUsd: config.aiDailyLimitUsd,
    learnerBudgetsUsd: config.aiLearnerLimitsUsd,
    countsMinutes: config.countsMinutes,
  },
  mail,
  payments: shop.payments,
  account: {
    access: config.access,
    adminEmails: config.adminEmails,
    origin: mail.origin,
    secret: mail.secret,
    hasSecureCookies: config.isProduction || mail.origin.startsWith('https:'),
  },
});
if (config.mail.smtpUrl === null)
  app.log.info('no SMTP_URL: e-mails are written to the folder outbox, and sent to nobody');
const changed = await bringInStarterCatalogue({ db: database.db, now: () => new Date() });
app.log.info({ changed }, 'the catalogue is in place');
const purge = (): void => {
  purgeTombstones({ db: database.db, now: () => new Date() }).then(
    (count) => app.log.info({ count }, 'old deletions are forgotten'),
    (error: unknown) => app.log.error({ err: error }, 'old deletions could not be forgotten'),
  );
};
setInterval(purge, PURGE_EVERY_MS).unref();
purge();
const address = await app.listen({ host: config.host, port: config.port });
await shop.listening(address);
if (shop.twinUrl !== null)
  app.log.info({ url: shop.twinUrl }, 'no STRIPE_SECRET_KEY: plans are sold by a stand-in, for no real money');
process.send?.({ type: 'ready', address });

let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await app.close();
  await shop.close();
  await database.close();
  process.exit(0);
};
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
// A parent that goes away takes its server along, or a second start would find its port and folder taken.
process.on('disconnect', () => void stop());
