export { listMicrophones, type MicrophoneDevice, openMicrophone, type OpenMicrophone } from './microphone.ts';
export { microphoneSentence } from './microphone-sentence.ts';
export { FollowedText } from './followed-text.tsx';
export { TalkButton, useSpaceToTalk } from './talk-button.tsx';
export { type Speaker, SpeakerProvider, useSpeaker } from './speaker.tsx';
export { type Recorder, useRecorder } from './use-recorder.ts';
export { wavPeaks } from './wav-peaks.ts';
