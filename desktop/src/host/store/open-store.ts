/** Opens the store: restores or salvages a damaged database, migrates it, and gives it an identity. */
import type { RepairOutcome } from '@parley/contract';
import { LearnerId, DeviceId } from '@parley/domain';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { type PrivacyFailure, preparePrivateFolder, restrictContents } from '@parley/file-permissions';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BACKUP_EVERY_MS,
  databaseFile,
  isBackupDue,
  removeUnfinishedCopies,
  takeBackup,
  writeCopy,
} from './backup/backup.ts';
import { checkAndReindex, copyBeforeRepair } from './backup/repair.ts';
import {
  continueRestore,
  finishRestore,
  isDatabaseLost,
  restoreNewestBackup,
  type Restored,
} from './backup/restore-backup.ts';
import { createChangeFeed } from './change-feed.ts';
import { isDamageError, isIntact, openConnection, type Sqlite } from './connection.ts';
import { DATA_FOLDER_FILES } from './data-folder-files.ts';
import { outbox, syncState } from './schema/device-tables.ts';
import { HostStartError } from './host-start-error.ts';
import { lockDataFolder } from './instance-lock.ts';
import { computeLeftWords, rebuildWords } from './rows/project-words.ts';
import { keepLogOfLostFile } from './backup/keep-log.ts';
import { writeRestoreNotice } from './backup/restore-notice.ts';
import { salvageDatabase } from './backup/salvage.ts';
import { users } from './schema/tables.ts';
import { ownSchema, upgradeRows } from './schema/upgrade-rows.ts';
import { restoreDeviceRows } from './backup/restore-device-rows.ts';
import { deleteAnsweredChanges, restoreUnsentChanges } from './backup/restore-unsent-changes.ts';
import type { Clock, Identity, Store } from './store.ts';

export interface StoreOptions {
  dataDir: string;
  clock: Clock;
  newId: () => string;
  migrationsDir: string;
  appVersion?: string;
  /** Checks the whole database, instead of the quick check that every start makes. */
  repair?: boolean;
  /** The system's time zone, unless given. */
  timeZone?: () => string;
  /** Returns an identity that outlived its database, if there is one. */
  knownIdentity: () => Identity | null;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { dataDir, clock } = options;
  const notPrivate = preparePrivateFolder(dataDir);
  const lock = lockDataFolder(dataDir);
  let opened: OpenedDatabase | null = null;
  try {
    removeUnfinishedCopies(dataDir);
    opened = openIntactDatabase(dataDir, clock.now(), options.repair ?? false);
    const { sqlite, restored, repaired } = opened;
    const restoredFrom = restored?.takenAt ?? null;
    const db = drizzle(sqlite);
    const salvaged = restored === null ? null : salvageDatabase(restored.damagedFile);
    await migrateSafely(sqlite, options);
    ensureIdentity(db, options, salvaged?.identity ?? null);
    if (restored !== null) resetSentState(db, options.newId);
    const store = assembleStore({
      sqlite,
      db,
      restoredFrom,
      repaired,
      notPrivate,
      options,
      release: () => lock.release(),
    });
    store.transaction(() => {
      // The server has answered none of the changes that the upgrade of an older backup queues.
      if (salvaged !== null) deleteAnsweredChanges(store, salvaged);
      upgradeRows(store);
      // If an index was damaged, a card may have been computed from only some of its rows.
      if (repaired === 'reindexed') rebuildWords(store);
      computeLeftWords(store);
      if (restored === null || salvaged === null) return;
      restoreUnsentChanges(store, salvaged);
      restoreDeviceRows(store, restored.damagedFile);
    });
    if (restored !== null) {
      writeRestoreNotice(dataDir, restored);
      finishRestore(dataDir);
    }
    return store;
  } catch (error) {
    opened?.sqlite.close();
    lock.release();
    throw error;
  }
}

interface OpenedDatabase {
  sqlite: Sqlite;
  restored: Restored | null;
  /** Null when no repair was requested. */
  repaired: RepairOutcome | null;
}

function openIntactDatabase(dataDir: string, now: Date, repair: boolean): OpenedDatabase {
  if (repair) copyBeforeRepair(dataDir, now);
  const unfinished = continueRestore(dataDir, now);
  keepLogOfLostFile(dataDir);
  if (unfinished !== null || !isDatabaseLost(dataDir, now)) {
    const opened = openIfIntact(dataDir, repair);
    if (opened !== null) return { ...opened, restored: unfinished };
  }
  const restored = restoreNewestBackup(dataDir, now);
  return { sqlite: openConnection(databaseFile(dataDir)), restored, repaired: repair ? 'restored' : null };
}

/** Returns null when the database is damaged. */
function openIfIntact(dataDir: string, repair: boolean): Pick<OpenedDatabase, 'sqlite' | 'repaired'> | null {
  try {
    const sqlite = openConnection(databaseFile(dataDir));
    try {
      const repaired = repair ? checkAndReindex(sqlite) : null;
      if (repair ? repaired !== null : isIntact(sqlite)) return { sqlite, repaired };
    } catch (error) {
      sqlite.close();
      throw error;
    }
    sqlite.close();
  } catch (error) {
    if (!isDamageError(error)) throw error;
  }
  return null;
}

interface MigrationJournal {
  entries: { when: number }[];
}

/** Makes a backup before a migration if the database has content. Refuses a database from a newer version. */
async function migrateSafely(sqlite: Sqlite, { dataDir, clock, migrationsDir }: StoreOptions): Promise<void> {
  const journal = JSON.parse(readFileSync(join(migrationsDir, 'meta', '_journal.json'), 'utf8')) as MigrationJournal;
  const newest = Math.max(...journal.entries.map((entry) => entry.when));
  const hasRun = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'").get() !== undefined;
  const last = hasRun ? sqlite.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() : null;
  // This version would change rows without the fields and rules that it does not know.
  if (typeof last === 'number' && last > newest) {
    throw new HostStartError('storage.newer', 'A newer version of Parley has used this database.');
  }
  if (last === newest) return;
  if (typeof last === 'number') await takeBackup(sqlite, dataDir, clock.now());
  migrate(drizzle(sqlite), { migrationsFolder: migrationsDir });
}

/** Creates the learner's and the device's ids at first start, with or without a server. */
function ensureIdentity(
  db: BetterSQLite3Database,
  { clock, newId, knownIdentity }: StoreOptions,
  salvaged: Identity | null,
): void {
  if (db.select({ id: syncState.id }).from(syncState).get() !== undefined) return;
  const known = knownIdentity();
  const userId = known?.userId ?? salvaged?.userId ?? LearnerId.parse(newId());
  const deviceId = known?.deviceId ?? salvaged?.deviceId ?? DeviceId.parse(newId());
  db.transaction((tx) => {
    tx.insert(syncState)
      .values({
        id: 1,
        userId,
        deviceId,
        isRegistered: known !== null,
        userCursor: 0,
        catalogueCursor: 0,
        pullsTurnsLater: true,
        ownSchema: ownSchema(),
        attemptKey: known === null ? null : newId(),
        // If the identity was known before, only the server knows the last sequence number; 0 makes sync ask for it.
        nextDeviceSeq: known === null ? 1 : 0,
      })
      .run();
    tx.insert(users).values(anonymousLearner(userId, clock.now())).run();
  });
}

/** The learner's row exactly as registration creates it on the server, so that it need not be sent. */
export const anonymousLearner = (userId: LearnerId, now: Date): typeof users.$inferInsert => ({
  userId,
  createdAt: now,
  updatedAt: now,
  syncVersion: 0,
  hasAccess: false,
  emailNotifications: true,
  isAdmin: false,
  hasSeenOnboarding: false,
  notYetPracticedEmailSent: false,
  planUpgradeReminderEmailSent: false,
  accessLinkNotReceivedEmailSent: false,
  notLoggedInAfterAccessEmailSent: false,
});

/**
 * A restored database has outdated counters. With the initial number, sync finds that the server knows a later one; it
 * then renumbers the changes and keeps their times, because the server may have answered some of them after the backup.
 * Word attempts get a new key, because merging two counts under one key keeps only the larger.
 */
function resetSentState(db: BetterSQLite3Database, newId: () => string): void {
  db.transaction((tx) => {
    tx.update(outbox).set({ state: 'waiting', deviceSeq: null }).run();
    tx.update(syncState).set({ nextDeviceSeq: 1, attemptKey: newId() }).run();
  });
}

function assembleStore(parts: {
  sqlite: Sqlite;
  db: BetterSQLite3Database;
  restoredFrom: Date | null;
  repaired: RepairOutcome | null;
  notPrivate: PrivacyFailure | null;
  options: StoreOptions;
  release: () => void;
}): Store {
  const { sqlite, db, options } = parts;
  const changes = createChangeFeed();
  const touched = new Set<string>();
  let depth = 0;
  let backup: Promise<void> | null = null;
  const selectIdentity = db
    .select({ userId: syncState.userId, deviceId: syncState.deviceId })
    .from(syncState)
    .prepare();
  const run = sqlite.transaction((work: () => unknown) => work());

  const transaction = <Value>(work: () => Value): Value => {
    if (depth > 0) return work();
    depth += 1;
    try {
      const value = run.immediate(work) as Value;
      depth = 0;
      changes.publish(touched);
      return value;
    } finally {
      depth = 0;
      touched.clear();
    }
  };

  return {
    db,
    sqlite,
    changes,
    clock: options.clock,
    dataDir: options.dataDir,
    appVersion: options.appVersion ?? 'development',
    timeZone: options.timeZone ?? (() => new Intl.DateTimeFormat().resolvedOptions().timeZone),
    restoredFrom: parts.restoredFrom,
    repaired: parts.repaired,
    openToOthersReason: parts.notPrivate,
    newId: options.newId,
    transaction,
    markChanged: (tableName) => void touched.add(tableName),
    identity() {
      const state = selectIdentity.get();
      if (state === undefined) throw new Error('the device has no identity yet');
      return { userId: state.userId, deviceId: state.deviceId };
    },
    wordCountKey() {
      const state = db.select({ key: syncState.attemptKey, deviceId: syncState.deviceId }).from(syncState).get();
      if (state === undefined) throw new Error('the device has no identity yet');
      return state.key ?? state.deviceId;
    },
    async backUpIfDue() {
      if (backup !== null || !isBackupDue(options.dataDir, options.clock.now())) return backup ?? undefined;
      backup = takeBackup(sqlite, options.dataDir, options.clock.now()).finally(() => {
        backup = null;
      });
      return backup;
    },
    async writeCopy() {
      await writeCopy(sqlite, options.dataDir, { prefix: 'before-server-change', now: options.clock.now() });
    },
    restrictFiles: () => restrictContents(options.dataDir, DATA_FOLDER_FILES),
    close() {
      sqlite.close();
      parts.release();
    },
  };
}

export { BACKUP_EVERY_MS };
