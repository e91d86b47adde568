export {
  type AssessmentRequest,
  type RecognitionPass,
  type OnRecognitionPass,
  type PronunciationAssessor,
  type Synthesiser,
  type Transcriber,
} from './speech-services.ts';
export type {
  RealtimeEvent,
  RealtimeSession,
  RealtimeUse,
  RealtimeVoice,
  RealtimeSessionOptions,
  AudioSpan,
  TokenCount,
} from './realtime-voice.ts';
