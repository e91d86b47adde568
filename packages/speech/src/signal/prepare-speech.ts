/** What the acoustic model hears: the speech alone, at one level, whatever silence and distance the recording has. */
import { type AudioReport, inspectAudio } from './inspect.ts';

const SAMPLE_RATE_HZ = 16_000;
/** Soft beginnings and ends lie below the threshold of speech. */
const MARGIN_MS = 200;
const TARGET_RMS = 0.05;

export interface PreparedSpeech {
  /** 16 kHz mono at a root mean square of 0.05. */
  pcm: Float32Array;
  /** Where it begins in the recording. */
  startMs: number;
}

/** The training recipe does the same (`training/features.py`): change both, and train again. */
export function prepareSpeech(
  pcm: Float32Array,
  { speechSpan }: Pick<AudioReport, 'speechSpan'> = inspectAudio(pcm),
): PreparedSpeech {
  const startMs = speechSpan === null ? 0 : Math.max(0, speechSpan.startMs - MARGIN_MS);
  const endMs = speechSpan === null ? Infinity : speechSpan.endMs + MARGIN_MS;
  const speech = pcm.subarray((startMs * SAMPLE_RATE_HZ) / 1000, Math.min(pcm.length, (endMs * SAMPLE_RATE_HZ) / 1000));
  const power = speech.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, speech.length);
  const gain = TARGET_RMS / Math.max(Math.sqrt(power), 1e-5);
  return { pcm: speech.map((sample) => sample * gain), startMs };
}
