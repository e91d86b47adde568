/** The host's background work: at its start, every few minutes, and after each pull. */
import type { Account } from './account/index.ts';
import { createBackgroundQueue } from './background-queue.ts';
import type { Assignments } from './courses/index.ts';
import { eraseDeletedRecordings } from './history/index.ts';
import type { KeptRecordings } from './kept-recordings/index.ts';
import type { Logger } from './logger.ts';
import type { PracticeReports } from './practice-reports/index.ts';
import type { Practice } from './practice/index.ts';
import type { RemoteWipe } from './remote-wipe/index.ts';
import type { Recordings } from './recordings/index.ts';
import { BACKUP_EVERY_MS, type Store } from './store/index.ts';

export interface BackgroundWorkParts {
  store: Store;
  recordings: Recordings;
  keptRecordings: KeptRecordings;
  practice: Practice;
  account: Account;
  assignments: Assignments;
  practiceReports: PracticeReports;
  remoteWipe: RemoteWipe;
  hasServer: () => boolean;
  /** In safe mode, work that might fail is not repeated in the background. */
  isSafeMode: boolean;
  logger: Logger;
}

export interface BackgroundWork {
  /** Does not throw. `waitsForPull` means that other devices may have sent changes that still have to be pulled. */
  start(options: { waitsForPull: boolean }): void;
  /** Call this when everything that other devices have sent has been pulled. */
  onUpToDate(): void;
  refreshAssignments(): void;
  whenIdle(): Promise<void>;
  /** Starts no further work. Work in progress continues until `whenIdle` resolves. */
  stop(): void;
}

const DUE_CHECK_INTERVAL_MS = 10 * 60_000;

export function createBackgroundWork(parts: BackgroundWorkParts): BackgroundWork {
  const {
    store,
    recordings,
    keptRecordings,
    practice,
    account,
    assignments,
    practiceReports,
    remoteWipe,
    hasServer,
    logger,
  } = parts;
  const background = createBackgroundQueue(logger);
  // Scores may take minutes, and nothing else waits for them.
  const lateScores = createBackgroundQueue(logger);
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const finishDueSessions = (isUpToDate: () => boolean): void =>
    background.add('overdue_sessions_failed', () => practice.finishDueSessions({ isUpToDate: isUpToDate() }));

  /** Writing to a session that was deleted elsewhere would bring it back on every device, so this waits for a pull. */
  function finishSessions(): void {
    background.add('recordings_not_adopted', async () => recordings.adoptFiles({ isUpToDate: true }));
    finishDueSessions(() => true);
    lateScores.add('late_scoring_failed', () => practice.scoreLateTurns(closing.signal));
  }

  const refreshAssignments = (): void => background.add('assignments_refresh_failed', () => assignments.refresh());
  const sendReports = (): void => background.add('practice_reports_not_sent', () => practiceReports.sendWaiting());

  function runDueWork(): void {
    finishDueSessions(() => !hasServer());
    background.add('deleted_recordings_not_erased', async () =>
      eraseDeletedRecordings(store, { recordings, copies: keptRecordings }),
    );
    background.add('backup_failed', () => store.backUpIfDue());
    // Access is cached for a while, so it is refreshed whenever the server can be reached.
    background.add('account_refresh_failed', async () => void (await account.state()));
    refreshAssignments();
    sendReports();
    background.add('wipe_not_reported', () => remoteWipe.report());
  }

  return {
    start({ waitsForPull }) {
      const { openToOthersReason } = store;
      if (openToOthersReason === null) background.add('restricting_data_folder_failed', () => store.restrictFiles());
      else logger.warn({ reason: openToOthersReason }, 'data_folder_not_private');
      background.add('recordings_not_adopted', async () => recordings.adoptFiles({ isUpToDate: false }));
      if (parts.isSafeMode) return;
      runDueWork();
      if (!waitsForPull) finishSessions();
      timer = setInterval(runDueWork, Math.min(DUE_CHECK_INTERVAL_MS, BACKUP_EVERY_MS)).unref();
    },
    onUpToDate() {
      finishSessions();
      sendReports();
      background.add('wipe_key_not_sent', () => remoteWipe.allow());
    },
    refreshAssignments,
    async whenIdle() {
      await background.whenIdle();
      // Scores the turns that a pull has brought.
      await lateScores.whenIdle();
    },
    stop() {
      clearInterval(timer);
      closing.abort();
    },
  };
}
