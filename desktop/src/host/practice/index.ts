export { createPractice, type Practice } from './practice.ts';
export { createDeviceScorer, type ScorerFiles, type SpeechScorer } from './speech-scorer.ts';
