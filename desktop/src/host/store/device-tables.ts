/** What this device alone keeps: changes on their way, recordings, settings, and where the text of a session can be searched. */
import {
  type AccountView,
  type DeviceSettings,
  type ListeningFailure,
  type Mutation,
  type RejectionCode,
  RESYNC_REASONS,
} from '@parley/contract';
import type { Assessment, FieldClocks, UnusableReason } from '@parley/domain';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Changes that the server does not hold yet, oldest first. */
export const outbox = sqliteTable(
  'outbox',
  {
    position: integer('position').primaryKey({ autoIncrement: true }),
    mutationId: text('mutation_id').notNull().unique(),
    /** Given when first sent: until then a later edit of the same row may still take its fields over. */
    deviceSeq: integer('device_seq').unique(),
    tableName: text('table_name').notNull(),
    rowId: text('row_id').notNull(),
    op: text('op', { enum: ['upsert', 'delete', 'restore'] }).notNull(),
    fields: text('fields', { mode: 'json' }).$type<Mutation['fields']>().notNull(),
    /** The version of the row that the change was made on; 0 for one that the server has not confirmed in this epoch. */
    base: integer('base').notNull().default(0),
    /** Of a `restore`: when each field was set. */
    clocks: text('clocks', { mode: 'json' }).$type<FieldClocks>(),
    /** Creates the row: its fields are never taken over, since the server needs them all at once. */
    creates: integer('creates', { mode: 'boolean' }).notNull(),
    at: text('at').notNull(),
    state: text('state', { enum: ['waiting', 'sent'] }).notNull(),
    /** Whose it is who is not signed in here now: it goes out when they are again. Null: of whoever is. */
    putAwayFor: text('put_away_for'),
  },
  (self) => [index('outbox_row_index').on(self.tableName, self.rowId)],
);

/** Changes that the server refused, kept with their content until the learner has seen them. */
export const rejectedChanges = sqliteTable('rejected_changes', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  tableName: text('table_name').notNull(),
  rowId: text('row_id').notNull(),
  code: text('code').$type<RejectionCode>().notNull(),
  field: text('field'),
  /** The change as it was made, for another try; null for changes that were refused before this was kept. */
  change: text('change', { mode: 'json' }).$type<Pick<Mutation, 'op' | 'at' | 'clocks'> & { creates: boolean }>(),
  fields: text('fields', { mode: 'json' }).$type<Mutation['fields']>().notNull(),
  /** The versions of the app and of the server between which it failed: others try it once more. Null: not known. */
  triedBetween: text('tried_between'),
  at: time('at').notNull(),
});

/** One row: who this device is, and how far it has come with the server. */
export const syncState = sqliteTable('sync_state', {
  id: integer('id').primaryKey(),
  userId: text('user_id').notNull(),
  deviceId: text('device_id').notNull(),
  isRegistered: integer('is_registered', { mode: 'boolean' }).notNull(),
  userCursor: integer('user_cursor').notNull(),
  catalogueCursor: integer('catalogue_cursor').notNull(),
  /** The learner's rows below this version are still to come, newest first; null when none are. */
  olderCursor: integer('older_cursor'),
  /** The server's epoch; null until it has told one. */
  epoch: text('epoch'),
  /** The fields that this version of the app knows: another version reads everything again. */
  ownSchema: text('own_schema'),
  /** The fields that the server knew when it last answered, and its version: another may take what this one refused. */
  serverSchema: text('server_schema'),
  /** Why everything is being fetched again; null when it is not. */
  resync: text('resync', { enum: RESYNC_REASONS }),
  lastSyncedAt: time('last_synced_at'),
  nextDeviceSeq: integer('next_device_seq').notNull(),
  /** Under which this device counts attempts at words since its database was replaced; null: under its id. */
  attemptKey: text('attempt_key'),
  lastHybridTime: text('last_hybrid_time'),
});

/** While everything is fetched again: the rows that have come, and the server's version of each. */
export const resyncSeen = sqliteTable(
  'resync_seen',
  {
    tableName: text('table_name').notNull(),
    rowId: text('row_id').notNull(),
    version: integer('version').notNull(),
    /** Whether this device had more of the row than the server, and gives it that. */
    isNewerHere: integer('is_newer_here', { mode: 'boolean' }).notNull().default(false),
  },
  (self) => [primaryKey({ columns: [self.tableName, self.rowId] })],
);

/** Rows of the server that this version of the app cannot read, as they came: they are read again after an upgrade. */
export const unreadRows = sqliteTable(
  'unread_rows',
  {
    userId: text('user_id').notNull(),
    tableName: text('table_name').notNull(),
    rowId: text('row_id').notNull(),
    version: integer('version').notNull(),
    fields: text('fields', { mode: 'json' }).$type<Mutation['fields']>().notNull(),
  },
  (self) => [primaryKey({ columns: [self.tableName, self.rowId] })],
);

/** `unsent` waited to be sent, or to be heard, when its session ended: it stays with the session. */
export const RECORDING_STATES = ['recording', 'waiting', 'sent', 'set_aside', 'unsent'] as const;
export const RECORDING_OUTCOMES = ['heard', 'not_recognised', 'unusable', 'not_scored'] as const;

/** Spoken turns; the sound itself lies in a file beside the database. */
export const recordings = sqliteTable(
  'recordings',
  {
    recordingId: text('recording_id').primaryKey(),
    /** Who spoke. Null: recorded before this was noted, in a session that is not here; whose session comes back has spoken. */
    userId: text('user_id'),
    sessionId: text('session_id').notNull(),
    turnId: text('turn_id').notNull(),
    fileName: text('file_name').notNull(),
    state: text('state', { enum: RECORDING_STATES }).notNull(),
    sampleCount: integer('sample_count').notNull(),
    nextSeq: integer('next_seq').notNull(),
    /** What came of listening to it; null while that is still to be done. */
    outcome: text('outcome', { enum: RECORDING_OUTCOMES }),
    text: text('text'),
    /** Why nobody wrote down what was said; null when nobody failed to. */
    failure: text('failure').$type<ListeningFailure>(),
    unusableReason: text('unusable_reason').$type<UnusableReason>(),
    hint: text('hint'),
    hintLevel: integer('hint_level').notNull(),
    /** Its window went away before it was finished. */
    isInterrupted: integer('is_interrupted', { mode: 'boolean' }).notNull().default(false),
    createdAt: time('created_at').notNull(),
    assessment: text('assessment', { mode: 'json' }).$type<Assessment>(),
  },
  (self) => [
    index('recordings_session_index').on(self.sessionId, self.state),
    index('recordings_turn_index').on(self.turnId),
  ],
);

/** Drills said on this device; their sound is a recording. */
export const drillAttempts = sqliteTable(
  'drill_attempts',
  {
    recordingId: text('recording_id').primaryKey(),
    userId: text('user_id').notNull(),
    turnId: text('turn_id').notNull(),
    text: text('text').notNull(),
    /** The other word of a pair. */
    other: text('other'),
    heard: text('heard', { enum: ['text', 'other'] }),
    /** Null until it is scored. */
    assessment: text('assessment', { mode: 'json' }).$type<Assessment>(),
    createdAt: time('created_at').notNull(),
  },
  (self) => [
    index('drill_attempts_text_index').on(self.userId, self.text, self.createdAt),
    index('drill_attempts_turn_index').on(self.turnId),
  ],
);

/** Until when the duration of a session held here is counted; the row's own times are the server's to set. */
export const sessionClocks = sqliteTable('session_clocks', {
  sessionId: text('session_id').primaryKey(),
  countedUntil: time('counted_until').notNull(),
});

/** What a learner has typed and not sent yet. */
export const sessionDrafts = sqliteTable('session_drafts', {
  sessionId: text('session_id').primaryKey(),
  text: text('text').notNull(),
});

/** The highest hint that a learner has opened for the turn that they are at. */
export const sessionHints = sqliteTable('session_hints', {
  sessionId: text('session_id').primaryKey(),
  /** How many turns the conversation had then: once there are more, the hint was for a turn that is over. */
  turnCount: integer('turn_count').notNull(),
  level: integer('level').notNull(),
});

export const WAITING_FOR = ['scores', 'review'] as const;

/** Sessions that ended but could not be scored yet, and those with scores of which their coach has not said anything yet. */
export const scoringAttempts = sqliteTable('scoring_attempts', {
  sessionId: text('session_id').primaryKey(),
  waitsFor: text('waits_for', { enum: WAITING_FOR }).notNull().default('scores'),
  attempts: integer('attempts').notNull(),
  endedAt: time('ended_at').notNull(),
  nextAttemptAt: time('next_attempt_at').notNull(),
});

/** The plain text of each session that is searchable already; the full-text index `spoken_words_index` stands on it. */
export const spokenWords = sqliteTable('spoken_words', {
  position: integer('position').primaryKey({ autoIncrement: true }),
  sessionId: text('session_id').notNull().unique(),
  spoken: text('spoken').notNull(),
});

export const deviceSettings = sqliteTable('device_settings', {
  id: integer('id').primaryKey(),
  settings: text('settings', { mode: 'json' }).$type<DeviceSettings>().notNull(),
});

/** What the server last said of this account: it holds for a while without a network. */
export const knownAccount = sqliteTable('known_account', {
  userId: text('user_id').primaryKey(),
  account: text('account', { mode: 'json' }).$type<AccountView>().notNull(),
  at: time('at').notNull(),
  /** Since then the server has sent this device away. */
  isSignedOut: integer('is_signed_out', { mode: 'boolean' }).notNull().default(false),
});

/** What is the device's alone and yet somebody's: nobody else on this computer sees it. */
export const DEVICE_TABLES_WITH_OWNER = [recordings, drillAttempts, rejectedChanges, unreadRows] as const;
