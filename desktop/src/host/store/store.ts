/** The learner's data on this device: one SQLite file, one writer, and a feed of changes. */
import type { DeviceId, LearnerId } from '@parley/domain';
import type { RepairOutcome } from '@parley/contract';
import type { PrivacyFailure } from '@parley/file-permissions';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { ChangeFeed } from './change-feed.ts';
import type { Sqlite } from './connection.ts';

export interface Clock {
  now(): Date;
  /** How long the computer has slept since then. A clock without this method never sleeps. */
  sleptMsSince?(date: Date): number;
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
  /**
   * IANA name of the computer's current time zone, in which the learner's days are counted. It changes when the learner
   * travels.
   */
  timeZone(): string;
  /** When the backup that replaced a damaged database was made; null if none was restored. */
  readonly restoredFrom: Date | null;
  /** The outcome of a requested repair; null when none was requested. */
  readonly repaired: RepairOutcome | null;
  /** Why other users of this computer can open the data folder; null if they cannot. */
  readonly openToOthersReason: PrivacyFailure | null;
  newId(): string;
  /** Runs the work atomically; nested calls join the outer transaction. Changes are published after the commit. */
  transaction<Value>(work: () => Value): Value;
  /** Marks a table as changed by this transaction. */
  markChanged(tableName: string): void;
  identity(): Identity;
  /** The key under which this device counts attempts at words. */
  wordCountKey(): string;
  backUpIfDue(): Promise<void>;
  /** Writes a full copy that is never removed automatically. */
  writeCopy(): Promise<void>;
  /** Restricts files that earlier versions or other programs left open to other users. */
  restrictFiles(): Promise<void>;
  close(): void;
}
