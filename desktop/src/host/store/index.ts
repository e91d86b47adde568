export {
  isDamageError,
  openConnection,
  type Sqlite,
  isIntact,
  isDiskFullError,
  isForeignKeyFailure,
  checkpoint,
  openScratchFile,
} from './connection.ts';
export * from './schema/device-tables.ts';
export { lockDataFolder } from './instance-lock.ts';
export { HostStartError, type HostStartFailure } from './host-start-error.ts';
export { databaseFile } from './backup/backup.ts';
export { ACCOUNT_FILES } from './data-folder-files.ts';
export { dismissRestoreNotice, readRestoreNotice } from './backup/restore-notice.ts';
export { hasPractised } from './has-practised.ts';
export { practiceByDay, type PracticeOfDay, toMinutes } from './practised-days.ts';
export { isBegunOrPractised, isPractised, practisedIn } from './practised-sessions.ts';
export { prepareOnce, prepareRowStatement, prepareUpsert, valuePlaceholder } from './rows/prepared-statements.ts';
export { anonymousLearner, BACKUP_EVERY_MS, openStore } from './open-store.ts';
export { removeIfPossible, renameFile } from './held-files.ts';
export { hasRoomFor, requireRoomFor } from './disk-room.ts';
export { openSnapshot, type Snapshot } from './snapshot.ts';
export type { Clock, Identity, Store } from './store.ts';
export * from './schema/tables.ts';
export { LEARNER_KEYS, type LearnerKey, type NewRow } from './schema/learner-keys.ts';
export { openRestoreQueue, queueRestores, requeueRow, requeueTimedRow, setSendsAtOnce } from './rows/queue-change.ts';
export {
  countMissingTurns,
  forgetMissingTurns,
  hasMissingTurns,
  listMissingTurns,
  recordAnnouncedTurns,
  markTurnsComplete,
} from './rows/missing-turns.ts';
export { applyToRow } from './rows/apply-to-row.ts';
export { readSyncState } from './rows/sync-state.ts';
export { fieldTimesOf, orUpdateTime } from './rows/field-times.ts';
export { keyColumn, ownerColumn, type Values } from './rows/row-values.ts';
export { updateConversations } from './rows/project-session.ts';
export {
  carryCountsIntoLog,
  computeLeftWords,
  isLogged,
  mayLeaveWords,
  rebuildWords,
  stateOfWord,
  updateOwnWords,
  updateWords,
} from './rows/project-words.ts';
export { placesOf, rowAt, type RowPlace, rowsOneByOne } from './rows/rows-one-by-one.ts';
export { insertRow, insertRows, readRow, removeRow, updateRow } from './rows/write-row.ts';
