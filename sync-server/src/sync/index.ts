export { type Announcer, createAnnouncer } from './announcer.ts';
export { epochOf, renewServerEpoch } from './epoch.ts';
export { createPokeHub, type PokeHub } from './pokes.ts';
export { PURGE_EVERY_MS, purgeTombstones } from './purge.ts';
export { push, type PushParts } from './push.ts';
export { readPush, readStreamRequest } from './read-request.ts';
export { announceNewEpoch, settleEpoch } from './settle-epoch.ts';
export { CATALOGUE_SCOPE, openStream, readCatalogueVersion, readPoke, type StreamParts } from './stream.ts';
export { moveTurns, type MoveTurnsParts } from './move-turns.ts';
