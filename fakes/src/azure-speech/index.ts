/** A local server that speaks Azure Speech's protocol, for tests and for trying the server without a key. */
export type { RecordedCall, CallScript, ScriptedScores, ScriptedWord } from './script.ts';
export { type AzureSpeechFake, type AzureSpeechFakeOptions, startAzureSpeechFake } from './azure-speech-fake.ts';
