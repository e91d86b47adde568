/**
 * Describes how each aligned phone sounds: the cepstra before it, in its three parts and after it, and its duration.
 */
import type { AlignedPhone } from '../align/align.ts';
import { FRAME_MS } from '../acoustic/acoustic-model.ts';
import { type LogMel, MEL_BANDS, normaliseBands } from '../signal/log-mel.ts';

const CEPSTRA = 20;
/** In 10 ms frames. */
const CONTEXT_FRAMES = 4;
const MEL_FRAME_MS = 10;
const MEL_FRAMES = FRAME_MS / MEL_FRAME_MS;
export const SEGMENT_FEATURES: number = 5 * CEPSTRA + 1;

/** One row of `SEGMENT_FEATURES` numbers per phone. Must match `training/train_contrasts.py`. */
export function segmentFeatures(mel: LogMel, phones: readonly AlignedPhone[]): Float64Array[] {
  const meanCepstrum = cepstralMeans(mel);
  return phones.map(({ firstFrame, lastFrame }) => {
    const begin = firstFrame * MEL_FRAMES;
    const end = (lastFrame + 1) * MEL_FRAMES;
    const third = (end - begin) / 3;
    const row = new Float64Array(SEGMENT_FEATURES);
    [
      meanCepstrum(begin - CONTEXT_FRAMES, begin),
      meanCepstrum(begin, begin + third),
      meanCepstrum(begin + third, begin + 2 * third),
      meanCepstrum(begin + 2 * third, end),
      meanCepstrum(end, end + CONTEXT_FRAMES),
    ].forEach((cepstrum, part) => row.set(cepstrum, part * CEPSTRA));
    row[SEGMENT_FEATURES - 1] = Math.log(Math.max(1, end - begin));
    return row;
  });
}

const COSINES = Float64Array.from(
  { length: CEPSTRA * MEL_BANDS },
  (_, at) => Math.cos((Math.PI * Math.floor(at / MEL_BANDS) * ((at % MEL_BANDS) + 0.5)) / MEL_BANDS) / 8,
);

/** Returns a function that averages the cepstra of a range of frames, at least one. */
function cepstralMeans(mel: LogMel): (from: number, to: number) => Float64Array {
  const bands = normaliseBands(mel);
  const sums = new Float64Array((mel.frames + 1) * CEPSTRA);
  for (let frame = 0; frame < mel.frames; frame += 1)
    for (let order = 0; order < CEPSTRA; order += 1) {
      let value = 0;
      for (let band = 0; band < MEL_BANDS; band += 1)
        value += (bands[frame * MEL_BANDS + band] as number) * (COSINES[order * MEL_BANDS + band] as number);
      sums[(frame + 1) * CEPSTRA + order] = (sums[frame * CEPSTRA + order] as number) + value;
    }
  return (from, to) => {
    const first = Math.min(mel.frames - 1, Math.max(0, Math.round(from)));
    const end = Math.min(mel.frames, Math.max(first + 1, Math.round(to)));
    return Float64Array.from(
      { length: CEPSTRA },
      (_, order) =>
        ((sums[end * CEPSTRA + order] as number) - (sums[first * CEPSTRA + order] as number)) / (end - first),
    );
  };
}
