/** Prepares the acoustic model's input: the speech only, at a fixed level. */
import { type AudioReport, inspectAudio } from './inspect.ts';

const SAMPLE_RATE_HZ = 16_000;
/** Soft beginnings and ends are below the speech threshold. */
const MARGIN_MS = 200;
/**
 * As a share of the length of the speech: the network normalises its input, and more silence around a single word would
 * have too much weight.
 */
const MAX_MARGIN_SHARE = 0.2;
const TARGET_RMS = 0.05;

export interface PreparedSpeech {
  /** 16 kHz mono with a root mean square of 0.05. */
  pcm: Float32Array;
  /** The start in the recording. */
  startMs: number;
}

/** `training/features.py` must match this; after a change, retrain the models. */
export function prepareSpeech(
  pcm: Float32Array,
  { speechSpan }: Pick<AudioReport, 'speechSpan'> = inspectAudio(pcm),
): PreparedSpeech {
  const span = speechSpan ?? { startMs: 0, endMs: Infinity };
  const marginMs = Math.min(MARGIN_MS, MAX_MARGIN_SHARE * (span.endMs - span.startMs));
  const startMs = Math.max(0, Math.round(span.startMs - marginMs));
  const endMs = Math.round(span.endMs + marginMs);
  const speech = pcm.subarray((startMs * SAMPLE_RATE_HZ) / 1000, Math.min(pcm.length, (endMs * SAMPLE_RATE_HZ) / 1000));
  const power = speech.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, speech.length);
  const gain = TARGET_RMS / Math.max(Math.sqrt(power), 1e-5);
  return { pcm: speech.map((sample) => sample * gain), startMs };
}
