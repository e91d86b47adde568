/** A local server that speaks OpenAI's Realtime protocol, for tests and for trying realtime sessions without a key. */
export {
  type AttachedRealtimeFake,
  attachRealtimeFake,
  type AttachedRealtimeFakeOptions,
  SECRETS_PATH,
} from './attach-realtime-fake.ts';
export { type RealtimeFake, type RealtimeFakeOptions, startRealtimeFake } from './realtime-fake.ts';
export {
  type ScriptedReply,
  type RealtimeScriptOptions,
  type ScriptedRejection,
  type RealtimeScript,
  type RecordedSession,
} from './script.ts';
