/**
 * Declares the tables for the copies of recordings that learners keep on the server. Their audio is in the file
 * storage.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

const binary = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

/** A learner's choice. Everything that changes the learner's copies locks this row. */
export const recordingAccounts = pgTable('recording_accounts', {
  userId: uuid('user_id').primaryKey(),
  isOn: boolean('is_on').notNull(),
  /** When the learner last agreed, or changed their mind. */
  chosenAt: at('chosen_at').notNull(),
  /** When the learner last had all copies deleted; null if never. */
  copiesDeletedAt: at('copies_deleted_at'),
  /** Changes with each deletion. */
  generation: uuid('generation').notNull(),
  /** The number of the most recent copy. */
  version: bigint('version', { mode: 'number' }).notNull(),
});

export const RECORDING_BLOB_STATES = ['receiving', 'kept'] as const;

/** One audio file of a learner, named by its hash. Learners share no files, so a hash never gives access to another learner's voice. */
export const recordingBlobs = pgTable(
  'recording_blobs',
  {
    userId: uuid('user_id').notNull(),
    sha256: text('sha256').notNull(),
    /**
     * The file's name in the storage, which is used for nothing else: audio that is sent again after its deletion gets
     * a new name.
     */
    fileId: uuid('file_id').notNull().unique(),
    state: text('state', { enum: RECORDING_BLOB_STATES }).notNull(),
    bytes: integer('bytes').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (self) => [
    primaryKey({ columns: [self.userId, self.sha256] }),
    index('recording_blobs_receiving_index')
      .on(self.createdAt)
      .where(sql`state = 'receiving'`),
  ],
);

/**
 * The received parts of a recording's audio. Each part is at most one request long, so it fits in the database and all
 * nodes see it.
 */
export const recordingParts = pgTable(
  'recording_parts',
  {
    userId: uuid('user_id').notNull(),
    sha256: text('sha256').notNull(),
    start: integer('start').notNull(),
    content: binary('content').notNull(),
  },
  (self) => [
    primaryKey({ columns: [self.userId, self.sha256, self.start] }),
    foreignKey({
      columns: [self.userId, self.sha256],
      foreignColumns: [recordingBlobs.userId, recordingBlobs.sha256],
    }).onDelete('cascade'),
  ],
);

/** The audio file of a recording. */
export const keptRecordings = pgTable(
  'kept_recordings',
  {
    userId: uuid('user_id').notNull(),
    recordingId: uuid('recording_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    sha256: text('sha256').notNull(),
    /** The order in which copies were completed; null while the audio is arriving. */
    version: bigint('version', { mode: 'number' }),
    createdAt: at('created_at').notNull(),
  },
  (self) => [
    primaryKey({ columns: [self.userId, self.recordingId] }),
    foreignKey({
      columns: [self.userId, self.sha256],
      foreignColumns: [recordingBlobs.userId, recordingBlobs.sha256],
    }).onDelete('cascade'),
    index('kept_recordings_version_index').on(self.userId, self.version),
    index('kept_recordings_session_index').on(self.sessionId),
    index('kept_recordings_sha256_index').on(self.userId, self.sha256),
  ],
);

/** Files that are still to be deleted from the storage. They name no learner, because they outlive the account. */
export const recordingErasures = pgTable(
  'recording_erasures',
  {
    fileId: uuid('file_id').primaryKey(),
    requestedAt: at('requested_at').notNull(),
  },
  (self) => [index('recording_erasures_requested_at_index').on(self.requestedAt)],
);
