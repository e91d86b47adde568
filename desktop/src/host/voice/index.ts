export { createVoice, type Voice } from './voice.ts';
