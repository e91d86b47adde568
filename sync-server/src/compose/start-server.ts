/** Starts the server, reports its address to the parent process, and shuts down without cutting off requests. */
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPrivateFolder, keepNewFilesPrivate } from '@parley/file-permissions';
import { releaseMemoryAtRest } from '@parley/idle-memory';
import { installStarterCatalogue } from '../catalogue/index.ts';
import { type DatabaseConnection, type DatabaseLocation, openDatabase } from '../db/client.ts';
import { describeDatabaseFailure } from '../db/database-failure.ts';
import { openLogStream } from '../http/observability/log-stream.ts';
import { startTracing } from '../http/observability/tracing.ts';
import { findStorageTrouble } from '../ports/storage/find-storage-trouble.ts';
import { buildApp } from './build-app.ts';
import type { Config } from './config/config.ts';
import { databaseLocation } from './config/database-location.ts';
import { connectLocalModels, connectAiServices } from './connect-ai-services.ts';
import { connectMail, outboxFolder } from './connect-mail.ts';
import { connectPayments } from './connect-payments.ts';
import { connectStorage } from './connect-storage.ts';
import { readServerVersion } from './server-version.ts';

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** Waits for a database that is starting or cannot be reached, and reports each attempt on stderr. */
async function waitForDatabase(location: DatabaseLocation): Promise<DatabaseConnection> {
  for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(2 * retryMs, MAX_RETRY_MS)) {
    try {
      return await openDatabase(location);
    } catch (error) {
      const failure = describeDatabaseFailure(error);
      if (failure?.isTransient !== true) throw error;
      console.error(`${failure.reason} Trying again in ${retryMs / 1_000} s.`);
      await pause(retryMs);
    }
  }
}

export async function startServer(config: Config): Promise<void> {
  keepNewFilesPrivate();
  // Until it listens, the server has nothing to finish. It still handles the signals, because the first process in a
  // container ignores those for which it has no handler.
  let stop = async (): Promise<void> => process.exit(0);
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  // The server stops with its parent, because an orphan would keep the port and the data folder occupied.
  process.on('disconnect', () => void stop());
  // Checked at startup, because below a folder such as /proc the attempt to create it for the first upload would never
  // end.
  if (dirname(resolve(config.media.dir)) !== resolve(config.dataDir)) createPrivateFolder(config.media.dir);
  const database = await waitForDatabase(databaseLocation(config));
  const mail = await connectMail(config);
  const connectedPayments = await connectPayments(config);
  const media = await connectStorage(config.media);
  const tracing = await startTracing(process.env);
  const draining = new AbortController();
  const app = await buildApp({
    database,
    tracing: tracing?.plugin,
    draining: draining.signal,
    ...(config.metrics === null ? {} : { metrics: config.metrics }),
    version: readServerVersion(),
    logLevel: config.logLevel,
    logStream: openLogStream(),
    trustProxy: config.trustProxy,
    allowedHosts: config.allowedHosts,
    ai: {
      ...(await connectAiServices(config)),
      local: await connectLocalModels(config),
      dailyLimitUsd: config.aiDailyLimitUsd,
      learnerBudgetsUsd: config.aiLearnerBudgetsUsd,
      isMetered: config.isMetered,
    },
    mail,
    site: {
      textsDir: config.siteDir,
      downloadsDir: config.downloadsDir,
      operatorEmail: config.adminEmails[0] ?? config.mail.from.replace(/^.*<|>.*$/g, ''),
    },
    media,
    runsJobs: true,
    payments: connectedPayments.payments,
    account: {
      access: config.access,
      adminEmails: config.adminEmails,
      origin: mail.origin,
      secret: mail.secret,
      hasSecureCookies: config.isProduction || mail.origin.startsWith('https:'),
    },
  });
  if (config.mail.smtpUrl === null) app.log.info({ folder: outboxFolder(config) }, 'mail_written_to_outbox_folder');
  const changed = await installStarterCatalogue({ db: database.db, now: () => new Date() });
  app.log.info({ changed }, 'catalogue_ready');
  let stopping = false;
  stop = async () => {
    if (stopping) return;
    stopping = true;
    draining.abort();
    await pause(config.drainMs);
    await app.close();
    await connectedPayments.close();
    await database.close();
    await tracing?.close();
    process.exit(0);
  };
  const address = await app.listen({ host: config.host, port: config.port });
  await connectedPayments.onListening(address);
  // The server works without its bucket, except for videos, pictures and recordings, which then fail one by one.
  if (config.media.s3 !== null)
    void findStorageTrouble(media.storage).then((reason) => {
      if (reason !== null) app.log.error({ bucket: config.media.s3?.bucket, reason }, 'bucket_unusable');
    });
  if (connectedPayments.fakeUrl !== null) app.log.info({ url: connectedPayments.fakeUrl }, 'fake_payments_enabled');
  process.send?.({ type: 'ready', address });
  releaseMemoryAtRest({ signal: draining.signal });
}
