/** Finds the phones that were said instead of the expected ones, among those that learners confuse with them. */
import type { AcousticOutput } from '../acoustic/acoustic-model.ts';
import { type AlignedPhone, phoneSequencesOf } from '../align/align.ts';
import { exchangeLogRatios } from '../align/exchanges.ts';
import type { LogMel } from '../signal/log-mel.ts';
import type { ContrastModel } from './contrast-model.ts';
import { segmentFeatures } from './segment-features.ts';

export interface Rival {
  output: number;
  /** The log-odds that it was said rather than the expected phone, before any prior. */
  logOdds: number;
}

/** For each phone, its confusable phones, most likely first. */
export function findRivals(
  { acousticOutput, mel }: { acousticOutput: AcousticOutput; mel: LogMel },
  phones: readonly AlignedPhone[],
  model: ContrastModel,
): Rival[][] {
  const outputs = phones.map(({ output }) => output);
  const ratiosByNetwork = phoneSequencesOf(acousticOutput).map((order) => exchangeLogRatios(order, outputs));
  const meanRatio = (phone: number, rival: number): number =>
    ratiosByNetwork.reduce((sum, ratios) => sum + limited(ratios?.(phone, rival) ?? 0), 0) / ratiosByNetwork.length;
  const segments = segmentFeatures(mel, phones);
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

/** A network that is sure of something impossible must not outweigh the others. */
const MAX_LOG_RATIO = 12;
const limited = (ratio: number): number => Math.max(-MAX_LOG_RATIO, Math.min(MAX_LOG_RATIO, ratio));
