/** Runs the acoustic model on a recording and caches the latest result. */
import { inspectAudio } from '../signal/inspect.ts';
import { type LogMel, logMel } from '../signal/log-mel.ts';
import { prepareSpeech } from '../signal/prepare-speech.ts';
import type { AcousticModel, AcousticOutput } from './acoustic-model.ts';

export interface AnalysedSpeech {
  acousticOutput: AcousticOutput;
  mel: LogMel;
  /** The position of the first frame in the recording. */
  startMs: number;
}

/** Takes 16 kHz mono samples, -1..1. */
export type AnalyseSpeech = (pcm: Float32Array) => Promise<AnalysedSpeech>;

export function createSpeechAnalyser(acoustic: AcousticModel): AnalyseSpeech {
  // A turn is first matched with the expected replies and then assessed, so the same recording arrives twice.
  let last: { pcm: Float32Array; heard: AnalysedSpeech } | null = null;
  return async (pcm) => {
    if (last !== null && isSame(last.pcm, pcm)) return last.heard;
    const prepared = prepareSpeech(pcm, inspectAudio(pcm));
    const mel = logMel(prepared.pcm);
    const analysed = { acousticOutput: await acoustic.run(mel), mel, startMs: prepared.startMs };
    last = { pcm, heard: analysed };
    return analysed;
  };
}

const isSame = (a: Float32Array, b: Float32Array): boolean =>
  a.length === b.length && a.every((sample, index) => sample === b[index]);
