export { openRecordings, type Recording, type Recordings } from './recordings.ts';
