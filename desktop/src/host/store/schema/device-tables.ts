/** Tables that exist only on this device: outbox, recordings, settings and the search index. */
import {
  type AccountView,
  type Assignment,
  type DeviceSettings,
  type ErrorCode,
  type TranscribedWord,
  type TranscriptionFailure,
  type Mutation,
  type PracticeReport,
  type RejectionCode,
  RESYNC_REASONS,
} from '@parley/contract';
import type {
  Assessment,
  AttemptSource,
  DayTotals,
  FieldClocks,
  UnusableReason,
  WordCard,
  WordState,
  WordStatus,
} from '@parley/domain';
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Changes that the server has not confirmed, oldest first. */
export const outbox = sqliteTable(
  'outbox',
  {
    position: integer('position').primaryKey({ autoIncrement: true }),
    mutationId: text('mutation_id').notNull().unique(),
    /** Assigned when the change is first sent; until then, a later edit of the same row may absorb its fields. */
    deviceSeq: integer('device_seq').unique(),
    tableName: text('table_name').notNull(),
    rowId: text('row_id').notNull(),
    op: text('op', { enum: ['upsert', 'delete', 'restore'] }).notNull(),
    fields: text('fields', { mode: 'json' }).$type<Mutation['fields']>().notNull(),
    /** The row version that the change was based on; 0 if the server has not confirmed the row in this epoch. */
    base: integer('base').notNull().default(0),
    /** For a `restore`: when each field was set. */
    clocks: text('clocks', { mode: 'json' }).$type<FieldClocks>(),
    /** Whether the change creates the row. Its fields are never absorbed, because the server needs them together. */
    creates: integer('creates', { mode: 'boolean' }).notNull(),
    at: text('at').notNull(),
    /** `sent` has a number and may have reached the server. */
    state: text('state', { enum: ['waiting', 'sent'] }).notNull(),
    /** The account that the change is parked for while another one is signed in. Null for the signed-in account. */
    parkedFor: text('put_away_for'),
  },
  (self) => [
    index('outbox_row_index').on(self.tableName, self.rowId),
    // A shared computer may have parked hundreds of thousands of changes; this index lets sync rounds skip them.
    index('outbox_own_index')
      .on(self.position)
      .where(sql`put_away_for is null`),
  ],
);

/** Changes that the server rejected, kept with their content until it accepts them. */
export const rejectedChanges = sqliteTable('rejected_changes', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  tableName: text('table_name').notNull(),
  rowId: text('row_id').notNull(),
  code: text('code').$type<RejectionCode>().notNull(),
  field: text('field'),
  /** The original change, for a retry; null for changes rejected before this column existed. */
  change: text('change', { mode: 'json' }).$type<Pick<Mutation, 'op' | 'at' | 'clocks'> & { creates: boolean }>(),
  fields: text('fields', { mode: 'json' }).$type<Mutation['fields']>().notNull(),
  /** The app and server versions that failed; with other versions, it is retried once. Null if it is due anyway. */
  triedVersions: text('tried_between'),
  /** Whether the learner has removed the change from the list. It is kept, because its row may exist nowhere else. */
  isDismissed: integer('is_dismissed', { mode: 'boolean' }).notNull().default(false),
  at: time('at').notNull(),
});

/** A single row with this device's identity and its sync position. */
export const syncState = sqliteTable('sync_state', {
  id: integer('id').primaryKey(),
  userId: text('user_id').notNull(),
  deviceId: text('device_id').notNull(),
  isRegistered: integer('is_registered', { mode: 'boolean' }).notNull(),
  userCursor: integer('user_cursor').notNull(),
  catalogueCursor: integer('catalogue_cursor').notNull(),
  /** Learner rows below this version are still to be pulled, newest first; null when none are missing. */
  olderCursor: integer('older_cursor'),
  /** Whether this device started empty, so that the turns of older sessions may come after everything else. */
  pullsTurnsLater: integer('pulls_turns_later', { mode: 'boolean' }).notNull().default(false),
  /** The server's epoch; null until the server has sent one. */
  epoch: text('epoch'),
  /** Fingerprint of the app's fields, and the version of its word rules; another version pulls everything again. */
  ownSchema: text('own_schema'),
  /** Fingerprint and version that the server last reported; another version may accept what this one rejected. */
  serverSchema: text('server_schema'),
  /** Why everything is being pulled again; null when no resync is running. */
  resync: text('resync', { enum: RESYNC_REASONS }),
  lastSyncedAt: time('last_synced_at'),
  nextDeviceSeq: integer('next_device_seq').notNull(),
  /** The key for this device's word attempts since its database was replaced; null means the device id. */
  attemptKey: text('attempt_key'),
  lastHybridTime: text('last_hybrid_time'),
  /** When refused changes were last sent again merely because a day had passed. */
  rejectedRetriedAt: time('rejected_retried_at'),
  /** Since when the server's database has had trouble with the first waiting change; null while it has none. */
  pushTroubleSince: time('push_trouble_since'),
  /** The key without which this device obeys no order to delete, and the device id under which the server got it. */
  wipeKey: text('wipe_key'),
  wipeKeySentFor: text('wipe_key_sent_for'),
});

/** Rows pulled during a resync, with the server's version of each. */
export const resyncSeen = sqliteTable(
  'resync_seen',
  {
    tableName: text('table_name').notNull(),
    rowId: text('row_id').notNull(),
    version: integer('version').notNull(),
    /** Whether this device holds newer fields than the server and must restore them. */
    isNewerHere: integer('is_newer_here', { mode: 'boolean' }).notNull().default(false),
  },
  (self) => [primaryKey({ columns: [self.tableName, self.rowId] })],
);

/** Sessions with turns that are only on the server. Storing the last of them deletes the row. */
export const missingTurns = sqliteTable(
  'missing_turns',
  {
    userId: text('user_id').notNull(),
    sessionId: text('session_id').notNull(),
    /** How many turns the server had when the session was listed. */
    announced: integer('announced').notNull(),
  },
  (self) => [primaryKey({ columns: [self.userId, self.sessionId] })],
);

/** Server rows that this app version cannot read, kept as received and read again after an upgrade. */
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

/** `unsent` recordings were waiting when their session ended and stay with it. */
export const RECORDING_STATES = ['recording', 'waiting', 'sent', 'set_aside', 'unsent'] as const;
export const RECORDING_OUTCOMES = ['heard', 'not_recognised', 'unusable', 'not_scored'] as const;

/** Spoken turns; the audio is in a file next to the database. */
export const recordings = sqliteTable(
  'recordings',
  {
    recordingId: text('recording_id').primaryKey(),
    /**
     * The account of the speaker. Null for an old recording of a session that is missing here; it is set when the
     * session is pulled again.
     */
    userId: text('user_id'),
    sessionId: text('session_id').notNull(),
    turnId: text('turn_id').notNull(),
    fileName: text('file_name').notNull(),
    state: text('state', { enum: RECORDING_STATES }).notNull(),
    sampleCount: integer('sample_count').notNull(),
    nextSeq: integer('next_seq').notNull(),
    /** The outcome of the assessment; null until it is done. */
    outcome: text('outcome', { enum: RECORDING_OUTCOMES }),
    text: text('text'),
    /** The transcribed words with their confidence, if this computer transcribed the recording. */
    words: text('words', { mode: 'json' }).$type<TranscribedWord[]>(),
    /** Why transcription failed; null if it did not fail. */
    failure: text('failure').$type<TranscriptionFailure>(),
    unusableReason: text('unusable_reason').$type<UnusableReason>(),
    hint: text('hint'),
    hintLevel: integer('hint_level').notNull(),
    /** Whether the window closed before the recording was finished. */
    isInterrupted: integer('is_interrupted', { mode: 'boolean' }).notNull().default(false),
    createdAt: time('created_at').notNull(),
    assessment: text('assessment', { mode: 'json' }).$type<Assessment>(),
  },
  (self) => [
    index('recordings_session_index').on(self.sessionId, self.state),
    index('recordings_turn_index').on(self.turnId),
  ],
);

/** Drills recorded on this device; their audio is a recording. */
export const drillAttempts = sqliteTable(
  'drill_attempts',
  {
    recordingId: text('recording_id').primaryKey(),
    userId: text('user_id').notNull(),
    turnId: text('turn_id').notNull(),
    text: text('text').notNull(),
    /** The other word of a minimal pair. */
    other: text('other'),
    heard: text('heard', { enum: ['text', 'other'] }),
    /** Null for attempts from before reviews and shadowing existed, which are drills. */
    source: text('source').$type<AttemptSource>(),
    /** Null until the drill is scored. */
    assessment: text('assessment', { mode: 'json' }).$type<Assessment>(),
    createdAt: time('created_at').notNull(),
  },
  (self) => [
    index('drill_attempts_text_index').on(self.userId, self.text, self.createdAt),
    index('drill_attempts_turn_index').on(self.turnId),
  ],
);

/** The state of each word, derived from the attempt log; rewritten when the log grows. */
export const wordCards = sqliteTable(
  'word_cards',
  {
    userId: text('user_id').notNull(),
    word: text('word').notNull(),
    status: text('status').$type<WordStatus>().notNull(),
    due: time('due'),
    lastWrongAt: time('last_wrong_at'),
    /** When the word graduated or was marked as learned. */
    masteredDay: text('mastered_day'),
    card: text('card', { mode: 'json' }).$type<WordCard>().notNull(),
    /** The state from which new rows continue the card; null until the word is computed again after an upgrade. */
    state: text('state', { mode: 'json' }).$type<WordState>(),
  },
  (self) => [
    primaryKey({ columns: [self.userId, self.word] }),
    index('word_cards_due_index').on(self.userId, self.status, self.due),
  ],
);

/** The totals of each day, derived from the attempt log; rewritten when the log grows. */
export const dayTotals = sqliteTable(
  'day_totals',
  {
    userId: text('user_id').notNull(),
    day: text('day').notNull(),
    totals: text('totals', { mode: 'json' }).$type<DayTotals>().notNull(),
  },
  (self) => [primaryKey({ columns: [self.userId, self.day] })],
);

/** The time up to which a session's duration is counted. The session's own times belong to the server. */
export const sessionClocks = sqliteTable('session_clocks', {
  sessionId: text('session_id').primaryKey(),
  countedUntil: time('counted_until').notNull(),
});

/** Typed text that has not been sent. */
export const sessionDrafts = sqliteTable('session_drafts', {
  sessionId: text('session_id').primaryKey(),
  text: text('text').notNull(),
});

/** The highest hint level opened for the current turn. */
export const sessionHints = sqliteTable('session_hints', {
  sessionId: text('session_id').primaryKey(),
  /** The number of turns at that time; if there are more now, the hint belonged to an earlier turn. */
  turnCount: integer('turn_count').notNull(),
  level: integer('level').notNull(),
});

export const WAITING_FOR = ['scores', 'review'] as const;

/** Sessions that still need scores, or a review by their coach. */
export const scoringAttempts = sqliteTable('scoring_attempts', {
  sessionId: text('session_id').primaryKey(),
  waitsFor: text('waits_for', { enum: WAITING_FOR }).notNull().default('scores'),
  attempts: integer('attempts').notNull(),
  endedAt: time('ended_at').notNull(),
  nextAttemptAt: time('next_attempt_at').notNull(),
});

/** The plain text of each indexed session; the full-text index `spoken_words_index` refers to it. */
export const spokenWords = sqliteTable('spoken_words', {
  position: integer('position').primaryKey({ autoIncrement: true }),
  sessionId: text('session_id').notNull().unique(),
  spoken: text('spoken').notNull(),
});

export const deviceSettings = sqliteTable('device_settings', {
  id: integer('id').primaryKey(),
  settings: text('settings', { mode: 'json' }).$type<DeviceSettings>().notNull(),
});

/** The account state that the server last sent; it is valid offline for a while. */
export const knownAccount = sqliteTable('known_account', {
  userId: text('user_id').primaryKey(),
  account: text('account', { mode: 'json' }).$type<AccountView>().notNull(),
  at: time('at').notNull(),
  /** Whether the server has rejected this device's token since then. */
  isSignedOut: integer('is_signed_out', { mode: 'boolean' }).notNull().default(false),
});

/** The assignments of the learner's classes in the server's last response; shown offline too. */
export const knownAssignments = sqliteTable('known_assignments', {
  userId: text('user_id').primaryKey(),
  assignments: text('assignments', { mode: 'json' }).$type<Assignment[]>().notNull(),
  at: time('at').notNull(),
});

/** Where the learner stopped in each video. */
export const videoPositions = sqliteTable(
  'video_positions',
  {
    userId: text('user_id').notNull(),
    videoId: text('video_id').notNull(),
    positionS: real('position_s').notNull(),
  },
  (self) => [primaryKey({ columns: [self.userId, self.videoId] })],
);

/** Blog posts that were opened on this device. */
export const readPosts = sqliteTable('read_posts', {
  postId: text('post_id').primaryKey(),
  readAt: time('read_at').notNull(),
});

/** Reports of practices that the server has not received yet. */
export const waitingReports = sqliteTable('waiting_reports', {
  id: text('id').primaryKey(),
  /** The account for which they are sent, and no other. */
  userId: text('user_id').notNull(),
  report: text('report', { mode: 'json' }).$type<PracticeReport>().notNull(),
});

/** Rows imported from a file of another account; when this device joins that account, they are its rows again. */
export const importedRows = sqliteTable(
  'imported_rows',
  {
    rowId: text('row_id').notNull(),
    fromUserId: text('from_user_id').notNull(),
    /** The row's id in that account. */
    originalId: text('original_id').notNull(),
  },
  (self) => [primaryKey({ columns: [self.rowId, self.fromUserId] })],
);

/** Device tables whose rows belong to one account and are hidden from the others. */
export const DEVICE_TABLES_WITH_OWNER = [recordings, drillAttempts, rejectedChanges, unreadRows] as const;

/** Whether a learner keeps copies of recordings on the server, and what the server has yet to be told. */
export const recordingKeeping = sqliteTable('recording_keeping', {
  userId: text('user_id').primaryKey(),
  isOn: integer('is_on', { mode: 'boolean' }).notNull(),
  /**
   * A choice that the server does not know yet; nothing is sent until it does. `unconfirmed` means that the choice is
   * unknown because the database was damaged; the server is then told nothing until the learner chooses again.
   */
  pendingChoice: text('untold', { enum: ['off', 'off_and_delete', 'unconfirmed'] }),
  /** When the learner last chose, by the server's clock; null if the server has not reported it. */
  chosenAt: time('chosen_at'),
  /** When the learner last had all copies deleted, by the server's clock; null if never. */
  copiesDeletedAt: time('copies_deleted_at'),
  /** The generation of the list that this device knows; null when the list has to be read again. */
  generation: text('generation'),
  listedUntil: integer('listed_until').notNull(),
  usedBytes: integer('used_bytes').notNull(),
  quotaBytes: integer('quota_bytes').notNull(),
  /** Why nothing is sent; null when nothing is wrong. */
  failure: text('failure').$type<ErrorCode>(),
});

export const RECORDING_UPLOAD_STATES = ['encoded', 'kept', 'refused'] as const;

/** Recordings of this device that are being sent. The encoded file is next to the WAV until the server has it. */
export const recordingUploads = sqliteTable('recording_uploads', {
  recordingId: text('recording_id').primaryKey(),
  /** The server account that has the copy. After a move to another account, the recording is sent again. */
  userId: text('user_id').notNull(),
  sha256: text('sha256').notNull(),
  bytes: integer('bytes').notNull(),
  state: text('state', { enum: RECORDING_UPLOAD_STATES }).notNull(),
  /** How often the server found the copy damaged. */
  refusals: integer('refusals').notNull().default(0),
});

/** Copies that the server has listed, and whether they have been played here and are therefore cached. */
export const recordingCopies = sqliteTable(
  'recording_copies',
  {
    userId: text('user_id').notNull(),
    recordingId: text('recording_id').notNull(),
    sessionId: text('session_id').notNull(),
    sha256: text('sha256').notNull(),
    bytes: integer('bytes').notNull(),
    isOnServer: integer('is_on_server', { mode: 'boolean' }).notNull(),
    /** When the cached file was last played; null when there is none. */
    playedAt: time('played_at'),
  },
  (self) => [
    primaryKey({ columns: [self.userId, self.recordingId] }),
    index('recording_copies_played_index').on(self.playedAt),
  ],
);
