/** Checks whether a recording can be scored, from its level, noise, clipping and speech, without a model. */

const SAMPLE_RATE_HZ = 16_000;
const FRAME = 320;
const FRAME_MS = 20;

/** A sample at or above this level counts as clipped. */
const CLIPPED_AT = 0.985;
const MAX_CLIPPED_SHARE = 0.004;
const SILENT_PEAK_DB = -50;
const QUIET_SPEECH_DB = -42;
/** “Bed” or “six” alone is voiced for little more than this. */
const MIN_SPEECH_MS = 120;
const MIN_SNR_DB = 10.5;
const SPEECH_ABOVE_NOISE_DB = 9;
/** Nothing below this level is speech, except in a recording whose loud parts are less than `SPEECH_RANGE_DB` above it. */
const LOWEST_SPEECH_DB = -60;
const SPEECH_RANGE_DB = 30;
const SILENCE_DB = -100;
const DIGITAL_SILENCE_DB = -90;
const MIN_CONTRAST_DB = 3;
/** A short answer after a long wait is a small share of the recording, but it has this many loud frames. */
const LOUD_FRAMES = 12;
/** When clipped samples are counted, at most this much room noise before and after the speech is included. */
const CLIPPING_MARGIN_MS = 1_000;

export type AudioVerdict = 'good' | 'noisy' | 'too_quiet' | 'clipped' | 'silent';

export interface AudioReport {
  durationMs: number;
  /** The level of the louder half of the speech in dBFS; null in silence. */
  levelDb: number | null;
  peakDb: number;
  /** The level of speech above that of the pauses; null without speech. */
  snrDb: number | null;
  clippedShare: number;
  speechMs: number;
  verdict: AudioVerdict;
  /** From the start of the first speech to the end of the last, in milliseconds. */
  speechSpan: { startMs: number; endMs: number } | null;
}

const toDb = (amplitude: number): number => (amplitude <= 1e-5 ? SILENCE_DB : 20 * Math.log10(amplitude));

function quantile(sorted: Float32Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? SILENCE_DB;
}

/** The level of the loud parts. In a long recording they can be a small share of it. */
export function loudLevelDb(sorted: Float32Array): number {
  const ofTwentieth = quantile(sorted, 0.95);
  return Math.max(ofTwentieth, sorted[sorted.length - LOUD_FRAMES] ?? ofTwentieth);
}

/**
 * The level of the pauses. If a noise gate leaves only uniform sound and digital silence, it is the level of the
 * silence.
 */
function noiseFloorDb(heard: Float32Array, loudDb: number, frames: number): number {
  const quietDb = quantile(heard, 0.1);
  const isGated = heard.length <= frames * 0.9;
  return isGated && loudDb - quietDb < MIN_CONTRAST_DB ? DIGITAL_SILENCE_DB : quietDb;
}

/** The level of each 20 ms frame in dBFS. */
export function frameLevelsDb(pcm: Float32Array): Float32Array {
  const levels = new Float32Array(Math.max(1, Math.floor(pcm.length / FRAME)));
  for (let frame = 0; frame < levels.length; frame += 1) {
    let sum = 0;
    let mean = 0;
    for (let n = 0; n < FRAME; n += 1) mean += pcm[frame * FRAME + n] ?? 0;
    mean /= FRAME;
    for (let n = 0; n < FRAME; n += 1) sum += ((pcm[frame * FRAME + n] ?? 0) - mean) ** 2;
    levels[frame] = toDb(Math.sqrt(sum / FRAME));
  }
  return levels;
}

/** Measures 16 kHz mono samples. */
export function inspectAudio(pcm: Float32Array): AudioReport {
  const levels = frameLevelsDb(pcm);
  // Digital silence from padding or noise gates says nothing about the room.
  const heard = levels.filter((level) => level > DIGITAL_SILENCE_DB);
  const sorted = heard.toSorted();
  const loudDb = loudLevelDb(sorted);
  const noiseDb = noiseFloorDb(sorted, loudDb, levels.length);
  const threshold = Math.max(
    noiseDb + Math.min(SPEECH_ABOVE_NOISE_DB, (loudDb - noiseDb) * 0.4),
    Math.min(LOWEST_SPEECH_DB, loudDb - SPEECH_RANGE_DB),
  );
  let peak = 0;
  let clipped = 0;
  for (const sample of pcm) {
    const size = Math.abs(sample);
    if (size > peak) peak = size;
    if (size >= CLIPPED_AT) clipped += 1;
  }
  const hasContrast = loudDb - noiseDb >= MIN_CONTRAST_DB;
  const speechFrames = hasContrast
    ? levels.map((level) => (level > threshold ? 1 : 0))
    : new Float32Array(levels.length);
  const speechMs = speechFrames.reduce((sum, on) => sum + on, 0) * FRAME_MS;
  const firstFrame = speechFrames.indexOf(1);
  const lastFrame = speechFrames.lastIndexOf(1);
  const speechLevels = levels.filter((_, index) => speechFrames[index] === 1).toSorted();
  const levelDb = speechLevels.length === 0 ? null : quantile(speechLevels, 0.75);
  const peakDb = toDb(peak);
  const spokenSamples = ((lastFrame - firstFrame + 1) * FRAME_MS + 2 * CLIPPING_MARGIN_MS) * (SAMPLE_RATE_HZ / 1_000);
  const clippedShare = pcm.length === 0 ? 0 : clipped / Math.min(pcm.length, spokenSamples);
  // Without pauses, the quietest 10 % of frames still contain speech, so the ratio is a lower bound.
  const snrDb = levelDb === null ? null : Math.round((levelDb - noiseDb) * 10) / 10;
  const isSilent =
    peakDb < SILENT_PEAK_DB ||
    heard.length * FRAME_MS < MIN_SPEECH_MS ||
    (levelDb === null && loudDb < QUIET_SPEECH_DB);
  const verdict = ((): AudioVerdict => {
    if (isSilent) return 'silent';
    if (clippedShare > MAX_CLIPPED_SHARE) return 'clipped';
    if (levelDb === null || snrDb === null || snrDb < MIN_SNR_DB) return 'noisy';
    if (speechMs < MIN_SPEECH_MS) return 'silent';
    return levelDb < QUIET_SPEECH_DB ? 'too_quiet' : 'good';
  })();
  return {
    durationMs: Math.round((pcm.length / SAMPLE_RATE_HZ) * 1000),
    levelDb,
    peakDb,
    snrDb,
    clippedShare,
    speechMs,
    verdict,
    speechSpan: firstFrame < 0 ? null : { startMs: firstFrame * FRAME_MS, endMs: (lastFrame + 1) * FRAME_MS },
  };
}
