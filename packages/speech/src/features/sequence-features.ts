/** Features that do not depend on where each phone was placed: how well the expected phones explain the recording compared with others. */
import type { Alignment } from '../align/align.ts';
import type { ExchangeLogRatio } from '../align/exchanges.ts';
import { BLANK, PHONES } from '../pronounce/phones.ts';
import { mean } from './statistics.ts';

/** A network that is certain of something impossible must not outweigh the others. */
const MAX_LOG_RATIO = 60;

export interface SequenceFeatures {
  /** One row per phone, in order. */
  phones: number[][];
  /** One row per aligned word. */
  words: number[][];
}

/** `ratio` belongs to the alignment's phones; null when the audio is shorter than the text. */
export function sequenceFeatures(ratio: ExchangeLogRatio | null, alignment: Alignment): SequenceFeatures {
  const flat = alignment.words.flatMap((word) => word.phones);
  const outputs = flat.map(({ output }) => output);
  const phones = phoneExchanges(ratio, outputs);
  const column = (rows: readonly number[][], at: number): number[] => rows.map((row) => row[at] ?? 0);
  let at = 0;
  const words = alignment.words.map((word) => {
    const rows = phones.slice(at, at + word.phones.length);
    at += word.phones.length;
    return [
      mean(column(rows, 0)),
      Math.min(...column(rows, 0)),
      mean(column(rows, 1)),
      Math.max(...column(rows, 2)),
      Math.max(...column(rows, 3)),
    ];
  });
  return { phones, words };
}

/**
 * For each phone, the logarithm of its share among all phones in its place, the same with its omission among them, and the log-ratios of its best
 * rival and of its omission (goodness of pronunciation without alignment, after arXiv 2507.16838).
 */
function phoneExchanges(ratio: ExchangeLogRatio | null, outputs: readonly number[]): number[][] {
  const limited = (phone: number, output: number): number =>
    Math.max(-MAX_LOG_RATIO, Math.min(MAX_LOG_RATIO, ratio?.(phone, output) ?? -MAX_LOG_RATIO));
  return outputs.map((own, phone) => {
    let best = -MAX_LOG_RATIO;
    let sum = 1;
    for (let output = 1; output <= PHONES.length; output += 1) {
      if (output === own) continue;
      const rival = limited(phone, output);
      best = Math.max(best, rival);
      sum += Math.exp(rival);
    }
    const omission = limited(phone, BLANK);
    return [-Math.log(sum), -Math.log(sum + Math.exp(omission)), best, omission];
  });
}
