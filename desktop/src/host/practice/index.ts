export { createPractice, type Practice } from './practice.ts';
export { createDeviceScorer, type SpeechScorer } from './speech-scorer.ts';
