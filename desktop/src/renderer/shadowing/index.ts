export { CompareVoices, type OwnRecording } from './compare-voices.tsx';
export { ShadowScreen } from './shadow-screen.tsx';
export { canBeCompared } from './tracks/use-voices.ts';
