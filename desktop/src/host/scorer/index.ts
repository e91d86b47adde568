export { createLiveFollowing, type LiveFollowing } from './live-following.ts';
export { createDeviceScorer, type ScorerFiles, type SpeechScorer } from './speech-scorer.ts';
