export { listCoachHistory } from './coach-history.ts';
export type { RealtimeConnection } from './realtime-connection.ts';
export { type CoachClient, createCoachClient } from './coach-client.ts';
export { CoachError } from './coach-failure.ts';
export type { TranscribedSpeech } from './transcribed-speech.ts';
export { type CoachMemory, createCoachMemory } from './coach-memory.ts';
export type { StreamedTurn } from './streamed-turn.ts';
