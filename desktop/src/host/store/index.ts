export { isDamage, isDiskFull, isForeignKeyFailure, writeBack } from './connection.ts';
export * from './device-tables.ts';
export { HostStartError, type HostStartFailure } from './host-start-error.ts';
export { prepareFor, prepareUpsert, valueOf } from './prepared.ts';
export { anonymousLearner, BACKUP_EVERY_MS, type Clock, type Identity, openStore, type Store } from './store.ts';
export * from './tables.ts';
export {
  insertRow,
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  type NewRow,
  noteWritten,
  removeRow,
  requeueRow,
  updateRow,
} from './write-row.ts';
