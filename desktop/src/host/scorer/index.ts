export { createStreamingRecognition, type StreamingRecognition } from './streaming-recognition.ts';
export { createDeviceScorer, type ScorerFiles, type SpeechScorer } from './speech-scorer.ts';
