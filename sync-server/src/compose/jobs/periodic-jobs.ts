/** The server's periodic jobs: each deletes, erases, migrates or reconciles what has become due since its last run. */
import type { FastifyBaseLogger } from 'fastify';
import {
  deleteOldSignInEmails,
  deleteOldSessions,
  eraseDueAccounts,
  type EraseParts,
  scheduleUnusedAccounts,
} from '../../account/index.ts';
import type { Authoring } from '../../authoring/index.ts';
import type { Billing } from '../../billing/index.ts';
import { deleteExpiredCounts } from '../../http/limits/rate-limiter.ts';
import type { Crashes } from '../../crashes/index.ts';
import type { KeptRecordings } from '../../kept-recordings/index.ts';
import type { Media } from '../../media/index.ts';
import type { PeriodicJob } from '../../jobs/index.ts';
import type { PracticeReports } from '../../practice-reports/index.ts';
import type { School } from '../../school/index.ts';
import { migrateTurns, purgeTombstones, type TurnMigrationParts } from '../../sync/index.ts';

export interface PeriodicJobParts extends Omit<EraseParts, 'onFailure'>, TurnMigrationParts {
  billing: Pick<Billing, 'reconcile' | 'refreshCatalogue'>;
  authoring: Pick<Authoring, 'publishScheduled'>;
  media: Pick<Media, 'deleteExpired'>;
  crashes: Pick<Crashes, 'deleteExpired'>;
  practiceReports: Pick<PracticeReports, 'deleteExpired'>;
  school: Pick<School, 'applyRetention'>;
  recordings: Pick<KeptRecordings, 'cleanUp'>;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
}

export function createPeriodicJobs(parts: PeriodicJobParts): PeriodicJob[] {
  const { authoring, billing, crashes, media, practiceReports, recordings, school, log } = parts;
  const job = { policy: 'exclusive', runsAtStart: true } as const;
  const logFailure = (event: string) => (error: unknown) => log.error({ err: error }, event);
  return [
    {
      ...job,
      name: 'account.clean-up',
      cron: '7 * * * *',
      run: async () => cleanUpAccounts(parts).catch(logFailure('account_cleanup_failed')),
    },
    {
      ...job,
      // Needed because webhook events can be lost.
      name: 'billing.reconcile',
      cron: '17 * * * *',
      run: async () => {
        try {
          const { checked, repaired } = await billing.reconcile();
          if (repaired > 0) log.warn({ looked: checked, repaired }, 'subscriptions_repaired');
        } catch (error) {
          log.warn({ err: error }, 'subscription_reconciliation_failed');
        }
      },
    },
    {
      ...job,
      name: 'billing.refresh-prices',
      cron: '15 4 * * *',
      // Each node reads the prices when it starts.
      runsAtStart: false,
      run: async () =>
        billing.refreshCatalogue().catch((error: unknown) => log.warn({ err: error }, 'price_list_mirror_failed')),
    },
    {
      ...job,
      name: 'content.publish-scheduled',
      cron: '* * * * *',
      run: async () => {
        const report = await authoring.publishScheduled().catch(logFailure('scheduled_posts_not_published'));
        if (report === undefined) return;
        const { published, blocked } = report;
        if (published > 0) log.info({ published }, 'scheduled_posts_published');
        if (blocked.length > 0) log.warn({ posts: blocked }, 'scheduled_posts_blocked');
      },
    },
    {
      ...job,
      name: 'media.delete-expired',
      cron: '47 * * * *',
      run: async () => {
        const deleted = await media.deleteExpired().catch(logFailure('expired_media_not_deleted'));
        if (deleted !== undefined && deleted.uploads + deleted.files > 0) log.info(deleted, 'expired_media_deleted');
      },
    },
    {
      ...job,
      name: 'crashes.delete-expired',
      cron: '37 * * * *',
      run: async () => {
        const count = await crashes.deleteExpired().catch(logFailure('expired_crash_reports_not_deleted'));
        if (count !== undefined && count > 0) log.info({ count }, 'expired_crash_reports_deleted');
      },
    },
    {
      ...job,
      name: 'practice-reports.delete-expired',
      cron: '27 3 * * *',
      run: async () => {
        const count = await practiceReports.deleteExpired().catch(logFailure('expired_practice_reports_not_deleted'));
        if (count !== undefined && count > 0) log.info({ count }, 'expired_practice_reports_deleted');
      },
    },
    {
      ...job,
      name: 'school.apply-retention',
      cron: '45 2 * * *',
      run: async () => {
        const deleted = await school.applyRetention().catch(logFailure('retention_failed'));
        if (deleted !== undefined && deleted.auditEntries + deleted.mails > 0) log.info(deleted, 'old_records_deleted');
      },
    },
    {
      ...job,
      name: 'recordings.clean-up',
      cron: '*/10 * * * *',
      run: async () => {
        const cleaned = await recordings.cleanUp().catch(logFailure('recordings_not_cleaned_up'));
        if (cleaned === undefined) return;
        const { failures, ...counts } = cleaned;
        for (const error of failures) log.error({ err: error }, 'recording_file_not_deleted');
        if (Object.values(counts).some((count) => count > 0)) log.info(counts, 'recordings_cleaned_up');
      },
    },
    {
      ...job,
      name: 'sync.purge-tombstones',
      cron: '0 3 * * *',
      run: async (signal) => {
        await purgeTombstones(parts, signal).then(
          (count) => log.info({ count }, 'tombstones_purged'),
          logFailure('tombstone_purge_failed'),
        );
      },
    },
    {
      ...job,
      // Until a session has been migrated, a push that touches it migrates it first.
      name: 'sync.migrate-turns',
      cron: '30 3 * * *',
      run: async (signal) => {
        const sessions = await migrateTurns(parts, signal).catch(logFailure('turns_not_moved'));
        if (sessions !== undefined && sessions > 0) log.info({ sessions }, 'turns_moved');
      },
    },
  ];
}

async function cleanUpAccounts(parts: PeriodicJobParts): Promise<void> {
  const { log } = parts;
  const erased = await eraseDueAccounts({
    ...parts,
    onFailure: (error) => log.error({ err: error }, 'account_erasure_failed'),
  });
  const signInEmails = await deleteOldSignInEmails(parts);
  const sessions = await deleteOldSessions(parts);
  await deleteExpiredCounts(parts);
  if (erased + signInEmails + sessions > 0) log.info({ erased, signInEmails, sessions }, 'expired_sessions_deleted');
  // This job comes last, so that its failure delays no erasure that a learner requested.
  const unused = await scheduleUnusedAccounts(parts);
  if (unused > 0) log.info({ accounts: unused }, 'unused_accounts_scheduled');
}
