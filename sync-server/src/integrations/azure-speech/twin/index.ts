/** Azure Speech's local twin, for tests and for trying the server without a key. */
export type { TwinCall, TwinCallScript, TwinScores, TwinWord } from './script.ts';
export { type AzureSpeechTwin, type AzureSpeechTwinOptions, startAzureSpeechTwin } from './start-twin.ts';
