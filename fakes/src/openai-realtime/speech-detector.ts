/** Detects speech by its loudness alone. */
import type { RealtimeAudioInputTurnDetection } from 'openai/resources/realtime/realtime';

const SAMPLES_PER_MS = 24;
const FRAME_MS = 20;
const FRAME_BYTES = FRAME_MS * SAMPLES_PER_MS * 2;
const SPEECH_LOUDNESS = 300;
/** A shorter sound is a click. */
const ONSET_MS = 60;
const SEMANTIC_SILENCE_MS = 600;
const DEFAULT_SILENCE_MS = 500;
const DEFAULT_PREFIX_MS = 300;

export interface SpeechDetector {
  /** Milliseconds of audio since the session began. */
  receivedMs: () => number;
  /** Whether the audio since the last commit contains speech. */
  hasSpeech: () => boolean;
  isSpeech: () => boolean;
  addAudio: (pcm: Buffer) => void;
  /** Returns the duration of the committed audio in ms. */
  commit: () => number;
  configure: (detection: RealtimeAudioInputTurnDetection | null) => void;
}

export function createSpeechDetector(handlers: {
  started: (atMs: number) => void;
  stopped: (atMs: number) => void;
}): SpeechDetector {
  let silenceMs = DEFAULT_SILENCE_MS;
  let prefixMs = DEFAULT_PREFIX_MS;
  let isListening = true;
  let remainder = Buffer.alloc(0);
  let receivedMs = 0;
  let committedMs = 0;
  let loudMs = 0;
  let quietMs = 0;
  let isSpeech = false;
  let hasSpeech = false;

  function processFrame(frame: Buffer): void {
    let energy = 0;
    for (let at = 0; at < frame.length; at += 2) energy += frame.readInt16LE(at) ** 2;
    const isLoud = Math.sqrt(energy / (frame.length / 2)) > SPEECH_LOUDNESS;
    receivedMs += FRAME_MS;
    loudMs = isLoud ? loudMs + FRAME_MS : 0;
    quietMs = isLoud ? 0 : quietMs + FRAME_MS;
    if (!isListening) return;
    if (isSpeech && isLoud) hasSpeech = true;
    if (!isSpeech && loudMs >= ONSET_MS) {
      isSpeech = true;
      hasSpeech = true;
      handlers.started(Math.max(0, receivedMs - loudMs - prefixMs));
    } else if (isSpeech && quietMs >= silenceMs) {
      isSpeech = false;
      handlers.stopped(receivedMs);
    }
  }

  return {
    receivedMs: () => receivedMs,
    hasSpeech: () => hasSpeech,
    isSpeech: () => isSpeech,
    addAudio(pcm) {
      remainder = Buffer.concat([remainder, pcm]);
      for (; remainder.length >= FRAME_BYTES; remainder = remainder.subarray(FRAME_BYTES))
        processFrame(remainder.subarray(0, FRAME_BYTES));
    },
    commit() {
      const ms = receivedMs - committedMs;
      committedMs = receivedMs;
      hasSpeech = false;
      return ms;
    },
    configure(detection) {
      isListening = detection !== null;
      if (detection?.type === 'semantic_vad') silenceMs = SEMANTIC_SILENCE_MS;
      if (detection?.type === 'server_vad') {
        silenceMs = detection.silence_duration_ms ?? DEFAULT_SILENCE_MS;
        prefixMs = detection.prefix_padding_ms ?? DEFAULT_PREFIX_MS;
      }
    },
  };
}
