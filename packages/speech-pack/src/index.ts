export * from './manifest.ts';
export { describePack, hashFile, type PackDescription } from './pack-folder.ts';
export { createTranscriber, type Transcriber, type TranscriberOptions, type WorkerResponse } from './transcriber.ts';
export type { TranscribedWord, Transcript } from './transcript.ts';
