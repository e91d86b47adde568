export { createKeptRecordings, type KeptRecordings } from './kept-recordings.ts';
export { exportRecordings } from './export-recordings.ts';
