/** Finds the phones that were said instead of the expected ones, among those that learners confuse with them. */
import type { AcousticOutput } from '../acoustic/acoustic-model.ts';
import { type AlignedPhone, phoneSequencesOf } from '../align/align.ts';
import { type ExchangeLogRatio, exchangeLogRatios } from '../align/exchanges.ts';
import type { LogMel } from '../signal/log-mel.ts';
import type { ContrastModel } from './contrast-model.ts';
import { segmentFeatures } from './segment-features.ts';

export interface Rival {
  output: number;
  /** The log-odds that it was said rather than the expected phone, before any prior. */
  logOdds: number;
}

/** The measurements of a sequence of aligned phones. */
export interface ContrastEvidence {
  /** Rows of `segmentFeatures`, one per phone. */
  segments: readonly Float64Array[];
  /** One per network; null when the audio is shorter than the text. */
  ratios: readonly (ExchangeLogRatio | null)[];
}

export function contrastEvidence(
  { acousticOutput, mel }: { acousticOutput: AcousticOutput; mel: LogMel },
  phones: readonly AlignedPhone[],
): ContrastEvidence {
  const outputs = phones.map(({ output }) => output);
  return {
    segments: segmentFeatures(mel, phones),
    ratios: phoneSequencesOf(acousticOutput).map((order) => exchangeLogRatios(order, outputs)),
  };
}

/** For each phone, its confusable phones, most likely first. */
export function findRivals(
  phones: readonly AlignedPhone[],
  { segments, ratios }: ContrastEvidence,
  model: ContrastModel,
): Rival[][] {
  const meanRatio = (phone: number, rival: number): number =>
    ratios.reduce((sum, ratio) => sum + limitLogRatio(ratio?.(phone, rival) ?? 0), 0) / ratios.length;
  return phones.map(({ output }, index) =>
    model
      .contrastsOf(output)
      .map(({ rival, logOdds }) => ({
        output: rival,
        logOdds: logOdds(segments[index] ?? new Float64Array(), meanRatio(index, rival)),
      }))
      .toSorted((a, b) => b.logOdds - a.logOdds),
  );
}

/** The columns of `contrastFeatures`. */
export const CONTRAST_FEATURES = 3;

/** Stands for a phone that has no confusable rival. */
const NO_RIVAL = -12;

/**
 * One row per phone for the tree models, from one network: the log-odds of the likeliest rival from sound and sequence
 * together, those from the sound alone, and the sequence's log-ratio.
 */
export function contrastFeatures(
  phones: readonly AlignedPhone[],
  { segments, ratio }: { segments: readonly Float64Array[]; ratio: ExchangeLogRatio | null },
  model: ContrastModel,
): number[][] {
  return phones.map(({ output }, index) => {
    const segment = segments[index] ?? new Float64Array();
    let best = [NO_RIVAL, NO_RIVAL, NO_RIVAL];
    for (const { rival, logOdds } of model.contrastsOf(output)) {
      const sequence = limitLogRatio(ratio?.(index, rival) ?? 0);
      const both = logOdds(segment, sequence);
      if (both > (best[0] ?? NO_RIVAL)) best = [both, logOdds(segment, 0), sequence];
    }
    return best;
  });
}

/** A network that is certain of something impossible must not outweigh the others. */
const MAX_LOG_RATIO = 12;
const limitLogRatio = (ratio: number): number => Math.max(-MAX_LOG_RATIO, Math.min(MAX_LOG_RATIO, ratio));
