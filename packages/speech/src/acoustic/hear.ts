/** From samples to what the networks hear in them; the same recording asked about again is not heard again. */
import { inspectAudio } from '../signal/inspect.ts';
import { type LogMel, logMel } from '../signal/log-mel.ts';
import { prepareSpeech } from '../signal/prepare-speech.ts';
import type { AcousticModel, Hearing } from './acoustic-model.ts';

export interface HeardSpeech {
  hearing: Hearing;
  mel: LogMel;
  /** Where the first frame lies in the recording. */
  startMs: number;
}

/** Hears 16 kHz mono samples, -1..1. */
export type Hear = (pcm: Float32Array) => Promise<HeardSpeech>;

export function createHear(acoustic: AcousticModel): Hear {
  // A turn is first recognised among the expected replies, then assessed: two questions about one recording.
  let last: { pcm: Float32Array; heard: HeardSpeech } | null = null;
  return async (pcm) => {
    if (last !== null && isSame(last.pcm, pcm)) return last.heard;
    const prepared = prepareSpeech(pcm, inspectAudio(pcm));
    const mel = logMel(prepared.pcm);
    const heard = { hearing: await acoustic.run(mel), mel, startMs: prepared.startMs };
    last = { pcm, heard };
    return heard;
  };
}

const isSame = (a: Float32Array, b: Float32Array): boolean =>
  a.length === b.length && a.every((sample, index) => sample === b[index]);
