export { type Announcer, createAnnouncer } from './announcer.ts';
export { createPokeHub, type PokeHub } from './pokes.ts';
export { CATALOGUE_SCOPE, pull } from './pull.ts';
export { PURGE_EVERY_MS, purgeTombstones } from './purge.ts';
export { push } from './push.ts';
export { openStream, readCatalogueVersion, readPoke } from './stream.ts';
