/**
 * Did the recogniser stop before the learner did? "The end of a single utterance is determined by listening for silence at the end or until
 * a maximum of 15 seconds of audio is processed" (Microsoft Learn, "How to recognize speech").
 */
import { BYTES_A_MS, type KeptAudio } from './kept-audio.ts';

const FRAME_MS = 20;
const SAMPLES_A_FRAME = (FRAME_MS * BYTES_A_MS) / 2;

/** Less than this at the end is a breath, a click or the last sound of a word. */
const MIN_SPEECH_MS = 240;

/** Four times softer than the loud part of what was heard (12 dB) is no longer speech. */
const SPEECH_ABOVE_SHARE = 0.25;
/** Of full scale: no voice at all. */
const SILENCE_BELOW = 0.003;

/** Is there speech behind this place? */
export function hasSpeechAfter(audio: KeptAudio, heardUntilMs: number): boolean {
  const levels = frameLevels(audio.pcm());
  const heardFrames = Math.ceil(heardUntilMs / FRAME_MS);
  // Where nothing was heard, the sound is held against itself.
  const known = heardFrames === 0 ? levels : levels.slice(0, heardFrames);
  const loud = known.toSorted()[Math.floor(known.length * 0.9)] ?? 0;
  const threshold = Math.max(SILENCE_BELOW, loud * SPEECH_ABOVE_SHARE);
  const speechFrames = levels.slice(heardFrames).filter((level) => level > threshold).length;
  return speechFrames * FRAME_MS >= MIN_SPEECH_MS;
}

/** Root mean square of each frame, 0-1. */
function frameLevels(pcm: Uint8Array<ArrayBuffer>): Float32Array {
  const samples = new DataView(pcm.buffer);
  const levels = new Float32Array(Math.floor(pcm.byteLength / 2 / SAMPLES_A_FRAME));
  for (let frame = 0; frame < levels.length; frame += 1) {
    let sum = 0;
    for (let n = 0; n < SAMPLES_A_FRAME; n += 1)
      sum += (samples.getInt16((frame * SAMPLES_A_FRAME + n) * 2, true) / 32_768) ** 2;
    levels[frame] = Math.sqrt(sum / SAMPLES_A_FRAME);
  }
  return levels;
}
