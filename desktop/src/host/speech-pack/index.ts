export { createSpeechPack, type SpeechPack, type SpeechPackOptions } from './speech-pack.ts';
