export { createChunkQueue } from './chunk-queue.ts';
export { type LinePlayer, openLinePlayer } from './line-player.ts';
export {
  listMicrophones,
  type MicrophoneDevice,
  MicrophoneError,
  openMicrophone,
  type OpenMicrophone,
} from './microphone.ts';
export { microphoneSentence } from './microphone-sentence.ts';
export { MicrophoneTrouble } from './microphone-trouble.tsx';
export { FollowedText } from './followed-text.tsx';
export { TalkButton, useSpaceToTalk } from './talk-button.tsx';
export { type GrowingLine, type Speaker, SpeakerProvider, useSpeaker } from './speaker.tsx';
export { isSpeech } from './turn-end.ts';
export { type Recorder, useRecorder } from './use-recorder.ts';
export { wavPeaks } from './wav-peaks.ts';
