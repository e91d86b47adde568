/** The system's voices, which speak for coaches when no service does. */
export { chooseVoice } from './choose-voice.ts';
export { loadVoices } from './load-voices.ts';
export { speakWithSystemVoice } from './speak-with-system-voice.ts';
