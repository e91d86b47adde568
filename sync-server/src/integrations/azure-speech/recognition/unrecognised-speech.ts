/**
 * Detects that single-shot recognition ended before the learner did. "The end of a single utterance is determined by listening for
 * silence at the end or until a maximum of 15 seconds of audio is processed" (Microsoft Learn, "How to recognize speech").
 */
import { BYTES_PER_MS, type ReplayableAudio } from './replayable-audio.ts';

const FRAME_MS = 20;
const SAMPLES_PER_FRAME = (FRAME_MS * BYTES_PER_MS) / 2;

/** Less than this at the end is a breath, a click or the last sound of a word. */
const MIN_SPEECH_MS = 240;

/** Audio four times (12 dB) softer than the loud part of the recognised speech is no longer speech. */
const SPEECH_LEVEL_RATIO = 0.25;
/** Below this share of full scale, there is no voice. */
const SILENCE_LEVEL = 0.003;

/** Returns whether the audio after this position contains speech. */
export function hasSpeechAfter(audio: ReplayableAudio, recognisedUntilMs: number): boolean {
  const levels = frameLevels(audio.pcm());
  const recognisedFrames = Math.ceil(recognisedUntilMs / FRAME_MS);
  // When nothing was recognised, the audio is compared with itself.
  const reference = recognisedFrames === 0 ? levels : levels.slice(0, recognisedFrames);
  const referenceLevel = reference.toSorted()[Math.floor(reference.length * 0.9)] ?? 0;
  const threshold = Math.max(SILENCE_LEVEL, referenceLevel * SPEECH_LEVEL_RATIO);
  const speechFrames = levels.slice(recognisedFrames).filter((level) => level > threshold).length;
  return speechFrames * FRAME_MS >= MIN_SPEECH_MS;
}

/** Returns the root mean square of each frame, 0-1. */
function frameLevels(pcm: Uint8Array<ArrayBuffer>): Float32Array {
  const samples = new DataView(pcm.buffer);
  const levels = new Float32Array(Math.floor(pcm.byteLength / 2 / SAMPLES_PER_FRAME));
  for (let frame = 0; frame < levels.length; frame += 1) {
    let sum = 0;
    for (let n = 0; n < SAMPLES_PER_FRAME; n += 1)
      sum += (samples.getInt16((frame * SAMPLES_PER_FRAME + n) * 2, true) / 32_768) ** 2;
    levels[frame] = Math.sqrt(sum / SAMPLES_PER_FRAME);
  }
  return levels;
}
