export { createKeptRecordings, type KeptRecordings, type OpenedRecording } from './kept-recordings.ts';
export { exportRecordings, type ExportedRecording } from './export-recordings.ts';
