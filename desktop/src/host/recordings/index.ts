export { findSamples, readPcm16, readSamples } from './read-samples.ts';
export { openRecordings, type Recording, type Recordings } from './recordings.ts';
