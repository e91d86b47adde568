export {
  type AssessmentStream,
  type AssessmentWish,
  type HeardPass,
  type HeardPassed,
  type PronunciationAssessor,
  SpeechFailure,
  type SPEECH_FAILURES,
  type Synthesiser,
  type Transcriber,
} from './ports.ts';
export type {
  RealtimeEvent,
  RealtimeSession,
  RealtimeUse,
  RealtimeVoice,
  RealtimeWish,
  SoundPlace,
  TokenCount,
} from './realtime-port.ts';
