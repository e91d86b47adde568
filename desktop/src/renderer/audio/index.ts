export { createChunkQueue } from './recording/chunk-queue.ts';
export { type PcmPlayer, openPcmPlayer } from './playback/pcm-player.ts';
export {
  MicrophoneError,
  type MicrophoneReplacement,
  openMicrophone,
  type OpenMicrophone,
} from './microphone/microphone.ts';
export { type AudioProcessing, processingOf } from './microphone/audio-processing.ts';
export { microphoneReplacedSentence } from './microphone/microphone-error-sentence.ts';
export { MicrophoneErrorBanner } from './microphone/microphone-error-banner.tsx';
export { outputDevice } from './output/output-device.ts';
export { useChooseMicrophone } from './microphone/use-choose-microphone.ts';
export { OutputDeviceSelect } from './output/output-device-select.tsx';
export { OutputMissingBanner } from './output/output-missing-banner.tsx';
export { useAudioDevices } from './output/use-audio-devices.ts';
export { ProgressText } from './recording/progress-text.tsx';
export { RecordButton, useSpaceToRecord } from './recording/record-button.tsx';
export { RecordingNote } from './playback/recording-note.tsx';
export { SpeakerProvider, useSpeaker } from './playback/speaker.tsx';
export type { Speaker, StreamingUtterance } from './playback/speaker-interface.ts';
export { useSpaceKey } from './recording/use-space-key.ts';
export { isSpeech, patienceOf } from './recording/turn-end-detection.ts';
export { useDrillRecorder } from './recording/use-drill-recorder.ts';
export { type Recorder, useRecorder } from './recording/use-recorder.ts';
export { clipOfWav, wavEnvelope, wavPeaks } from './playback/wav-peaks.ts';
