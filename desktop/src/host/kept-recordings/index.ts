export { createKeptRecordings, type KeptRecordingOptions, type KeptRecordings } from './kept-recordings.ts';
