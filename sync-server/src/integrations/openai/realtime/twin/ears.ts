/** The twin's ears: which parts of the sound are speech, by its loudness alone. */
import type { RealtimeAudioInputTurnDetection } from 'openai/resources/realtime/realtime';

const SAMPLES_A_MS = 24;
const FRAME_MS = 20;
const FRAME_BYTES = FRAME_MS * SAMPLES_A_MS * 2;
const LOUD = 300;
/** Shorter is a click. */
const ONSET_MS = 60;
const SEMANTIC_SILENCE_MS = 600;
const DEFAULT_SILENCE_MS = 500;
const DEFAULT_PREFIX_MS = 300;

export interface Ears {
  /** In ms of sound since the session began. */
  heardMs: () => number;
  /** Whether the sound since the last commit holds speech. */
  holdsSpeech: () => boolean;
  isSpeech: () => boolean;
  take: (pcm: Buffer) => void;
  /** Returns how much sound is committed, in ms. */
  commit: () => number;
  listen: (detection: RealtimeAudioInputTurnDetection | null) => void;
}

export function createEars(on: { started: (atMs: number) => void; stopped: (atMs: number) => void }): Ears {
  let silenceMs = DEFAULT_SILENCE_MS;
  let prefixMs = DEFAULT_PREFIX_MS;
  let isListening = true;
  let rest = Buffer.alloc(0);
  let heardMs = 0;
  let committedMs = 0;
  let loudMs = 0;
  let quietMs = 0;
  let isSpeech = false;
  let holdsSpeech = false;

  function step(frame: Buffer): void {
    let energy = 0;
    for (let at = 0; at < frame.length; at += 2) energy += frame.readInt16LE(at) ** 2;
    const isLoud = Math.sqrt(energy / (frame.length / 2)) > LOUD;
    heardMs += FRAME_MS;
    loudMs = isLoud ? loudMs + FRAME_MS : 0;
    quietMs = isLoud ? 0 : quietMs + FRAME_MS;
    if (!isListening) return;
    if (isSpeech && isLoud) holdsSpeech = true;
    if (!isSpeech && loudMs >= ONSET_MS) {
      isSpeech = true;
      holdsSpeech = true;
      on.started(Math.max(0, heardMs - loudMs - prefixMs));
    } else if (isSpeech && quietMs >= silenceMs) {
      isSpeech = false;
      on.stopped(heardMs);
    }
  }

  return {
    heardMs: () => heardMs,
    holdsSpeech: () => holdsSpeech,
    isSpeech: () => isSpeech,
    take(pcm) {
      rest = Buffer.concat([rest, pcm]);
      for (; rest.length >= FRAME_BYTES; rest = rest.subarray(FRAME_BYTES)) step(rest.subarray(0, FRAME_BYTES));
    },
    commit() {
      const ms = heardMs - committedMs;
      committedMs = heardMs;
      holdsSpeech = false;
      return ms;
    },
    listen(detection) {
      isListening = detection !== null;
      if (detection?.type === 'semantic_vad') silenceMs = SEMANTIC_SILENCE_MS;
      if (detection?.type === 'server_vad') {
        silenceMs = detection.silence_duration_ms ?? DEFAULT_SILENCE_MS;
        prefixMs = detection.prefix_padding_ms ?? DEFAULT_PREFIX_MS;
      }
    },
  };
}
