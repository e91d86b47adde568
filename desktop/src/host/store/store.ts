/** The learner's data on this device: one SQLite file, one writer, and word of what changed. */
import { schemaFingerprint } from '@parley/contract';
import { LearnerId, DeviceId } from '@parley/domain';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { type NotPrivate, preparePrivateFolder, restrictContents } from '@parley/file-permissions';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BACKUP_EVERY_MS,
  databaseFile,
  isBackupDue,
  keepCopy,
  restoreNewestBackup,
  type Restored,
  takeBackup,
} from './backup.ts';
import { type ChangeFeed, createChangeFeed } from './change-feed.ts';
import { isDamage, isSound, openConnection, type Sqlite } from './connection.ts';
import { DATA_FOLDER_NAMES } from './data-folder-names.ts';
import { outbox, syncState } from './device-tables.ts';
import { lockDataFolder } from './instance-lock.ts';
import { salvage } from './salvage.ts';
import { users } from './tables.ts';
import { upgradeRows } from './upgrade-rows.ts';
import { takeBackChanges } from './take-back-changes.ts';

export interface Clock {
  now(): Date;
}

export interface Identity {
  userId: LearnerId;
  deviceId: DeviceId;
}

export interface Store {
  readonly db: BetterSQLite3Database;
  readonly sqlite: Sqlite;
  readonly clock: Clock;
  readonly changes: ChangeFeed;
  readonly dataDir: string;
  readonly appVersion: string;
  /** When the backup was taken that replaced a damaged file at this start. */
  readonly restoredFrom: Date | null;
  /** Why other users of this computer may enter the data folder; null when they may not. */
  readonly notPrivate: NotPrivate | null;
  newId(): string;
  /** All or nothing; inner ones join the outer. What changed is told after the outermost has reached the disk. */
  transaction<Value>(work: () => Value): Value;
  /** Names a table that this transaction changed. */
  touch(tableName: string): void;
  identity(): Identity;
  /** Names this device among the counts of a word's attempts. */
  attemptKey(): string;
  backUpIfDue(): Promise<void>;
  /** A copy of everything as it is, which is never removed by itself. */
  keepCopy(): Promise<void>;
  /** Closes to other users what earlier versions, or other programs, have left open to them. */
  restrictFiles(): Promise<void>;
  close(): void;
}

export interface StoreOptions {
  dataDir: string;
  clock: Clock;
  newId: () => string;
  migrationsDir: string;
  appVersion?: string;
  /** An identity that outlived its database, when there is one. */
  knownIdentity: () => Identity | null;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { dataDir, clock } = options;
  const notPrivate = preparePrivateFolder(dataDir);
  const lock = lockDataFolder(dataDir);
  try {
    const { sqlite, restored } = openSoundDatabase(dataDir, clock.now());
    const restoredFrom = restored?.backup?.takenAt ?? null;
    const db = drizzle(sqlite);
    const salvaged = restored === null ? null : salvage(restored.damagedFile);
    await migrateSafely(sqlite, options);
    ensureIdentity(db, options, salvaged?.identity ?? null);
    if (restored !== null) forgetWhatWasSent(db, options.newId);
    const store = assembleStore({ sqlite, db, restoredFrom, notPrivate, options, release: () => lock.release() });
    upgradeRows(store);
    if (salvaged !== null) takeBackChanges(store, salvaged);
    return store;
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openSoundDatabase(dataDir: string, now: Date): { sqlite: Sqlite; restored: Restored | null } {
  try {
    const sqlite = openConnection(databaseFile(dataDir));
    if (isSound(sqlite)) return { sqlite, restored: null };
    sqlite.close();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const restored = restoreNewestBackup(dataDir, now);
  return { sqlite: openConnection(databaseFile(dataDir)), restored };
}

interface Journal {
  entries: { when: number }[];
}

/** A migration that changes a database with content in it leaves a backup from before. */
async function migrateSafely(sqlite: Sqlite, { dataDir, clock, migrationsDir }: StoreOptions): Promise<void> {
  const journal = JSON.parse(readFileSync(join(migrationsDir, 'meta', '_journal.json'), 'utf8')) as Journal;
  const newest = Math.max(...journal.entries.map((entry) => entry.when));
  const hasRun = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'").get() !== undefined;
  const last = hasRun ? sqlite.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() : null;
  if (typeof last === 'number' && last >= newest) return;
  if (typeof last === 'number') await takeBackup(sqlite, dataDir, clock.now());
  migrate(drizzle(sqlite), { migrationsFolder: migrationsDir });
}

/** A device mints its learner and itself at first start, server or not. */
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
        ownSchema: schemaFingerprint(),
        attemptKey: known === null ? null : newId(),
        // With a former identity the server knows how far this device had counted; ask it.
        nextDeviceSeq: known === null ? 1 : 0,
      })
      .run();
    tx.insert(users).values(anonymousLearner(userId, clock.now())).run();
  });
}

/** The learner's own row as registration creates it on the server, so it need not travel. */
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
 * A restored copy has an old count of what was sent: the server is asked for its own before anything goes out. It has old counts of attempts
 * too, and new attempts are counted under another key, since of two counts under one key only the greater stays.
 */
function forgetWhatWasSent(db: BetterSQLite3Database, newId: () => string): void {
  db.transaction((tx) => {
    tx.update(outbox).set({ state: 'waiting', deviceSeq: null }).run();
    tx.update(syncState).set({ nextDeviceSeq: 0, attemptKey: newId() }).run();
  });
}

function assembleStore(parts: {
  sqlite: Sqlite;
  db: BetterSQLite3Database;
  restoredFrom: Date | null;
  notPrivate: NotPrivate | null;
  options: StoreOptions;
  release: () => void;
}): Store {
  const { sqlite, db, options } = parts;
  const changes = createChangeFeed();
  const touched = new Set<string>();
  let depth = 0;
  let backup: Promise<void> | null = null;
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
    restoredFrom: parts.restoredFrom,
    notPrivate: parts.notPrivate,
    newId: options.newId,
    transaction,
    touch: (tableName) => void touched.add(tableName),
    identity() {
      const state = db.select({ userId: syncState.userId, deviceId: syncState.deviceId }).from(syncState).get();
      if (state === undefined) throw new Error('the device has no identity yet');
      return { userId: state.userId, deviceId: state.deviceId };
    },
    attemptKey() {
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
    keepCopy: () => keepCopy(sqlite, options.dataDir, { prefix: 'before-server-change', now: options.clock.now() }),
    restrictFiles: () => restrictContents(options.dataDir, DATA_FOLDER_NAMES),
    close() {
      sqlite.close();
      parts.release();
    },
  };
}

export { BACKUP_EVERY_MS };
