export { DRILL_SESSION_ID } from './adopt-files.ts';
export { findSamples, readPcm16, readSamples } from './read-samples.ts';
export { openRecordings, type Recording, type Recordings } from './recordings.ts';
export { isOwnWav } from './wav-file.ts';
