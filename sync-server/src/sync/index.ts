export { type PokeBroadcaster, createPokeBroadcaster } from './pokes/poke-broadcaster.ts';
export { createPokeHub, type PokeHub } from './pokes/poke-hub.ts';
export { purgeTombstones } from './purge/purge.ts';
export { createPushGroups, type PushGroups } from './push/push-groups.ts';
export { push, schemaVersion } from './push/push.ts';
export type { PushParts } from './push/push-parts.ts';
export { parsePush, parseStreamRequest, parseTurnsRequest } from './parse-request.ts';
export { createPrefetchLimiter } from './stream/prefetch-limiter.ts';
export { readLearnerEpoch, readRestoredAt } from './restore/epoch.ts';
export { startNewEpoch, detectRestore } from './restore/detect-restore.ts';
export { CATALOGUE_SCOPE, openStream, readCatalogueVersion, readPoke, type StreamParts } from './stream/stream.ts';
export { openTurns } from './stream/turns.ts';
export {
  ANONYMOUS_STORAGE_LIMITS,
  type AnonymousStorage,
  type AnonymousStorageLimits,
  createAnonymousStorage,
} from './storage-quota/anonymous-storage.ts';
export type { StorageQuotas } from './storage-quota/storage-quota.ts';
export { migrateTurns, type TurnMigrationParts } from './turns/migrate-turns.ts';
export { readConversation } from './turns/read-conversation.ts';
