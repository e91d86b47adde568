/** The system's voices, with which coaches speak where no service speaks for them. */
export { chooseVoice } from './choose-voice.ts';
export { loadVoices } from './load-voices.ts';
export { speakWithSystemVoice } from './speak-with-system-voice.ts';
