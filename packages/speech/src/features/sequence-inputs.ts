/** Joins features into the rows that the sequence model reads. Must match `training/train_sequence.py`. */
import { EMBEDDING_WIDTH, type NetworkOutput } from '../acoustic/acoustic-model.ts';
import type { AlignedPhone } from '../align/align.ts';
import type { Features } from './model-rows.ts';

/** One network's view of a segment. */
export interface SequenceInputs {
  /** One row per phone. The categories of the placed features come last. */
  phones: number[][];
  utterance: readonly number[];
}

export function sequenceInputs(
  { placed, sequence, contrast }: Features,
  phones: readonly AlignedPhone[],
  network: NetworkOutput,
): SequenceInputs {
  const embeddings = phoneEmbeddings(network, phones);
  return {
    phones: placed.phones.map((row, index) => [
      ...(embeddings[index] ?? []),
      ...(sequence.phones[index] ?? []),
      ...(contrast[index] ?? []),
      ...row,
    ]),
    utterance: placed.utterance,
  };
}

/** The mean of the network's last layer over the frames of each phone. */
export const phoneEmbeddings = (
  { embedding, order }: Pick<NetworkOutput, 'embedding' | 'order'>,
  phones: readonly AlignedPhone[],
): number[][] =>
  phones.map(({ firstFrame, lastFrame }) => {
    const sums = Array.from({ length: EMBEDDING_WIDTH }, () => 0);
    const last = Math.min(order.frames - 1, lastFrame);
    for (let frame = firstFrame; frame <= last; frame += 1)
      for (let at = 0; at < EMBEDDING_WIDTH; at += 1)
        sums[at] = (sums[at] ?? 0) + (embedding[frame * EMBEDDING_WIDTH + at] ?? 0);
    return sums.map((sum) => sum / Math.max(1, last - firstFrame + 1));
  });
