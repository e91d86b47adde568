/** The sequence model, which scores a whole segment at once: every network's phones in, one score per phone, word and aspect out. */
import * as ort from 'onnxruntime-web/wasm';
import { loadPackedSession } from '../acoustic/packed-session.ts';
import type { SequenceInputs } from '../features/sequence-inputs.ts';

export interface SequenceScores {
  /** 0-2, one per phone. */
  phones: number[];
  /** 0-10, one per word. */
  words: number[];
  /** 0-10. */
  accuracy: number;
  fluency: number;
  prosody: number;
}

export interface SequenceModel {
  /** `features` has one entry per network, for the same phones; `wordLengths` is the number of phones in each word. */
  run: (features: readonly SequenceInputs[], wordLengths: readonly number[]) => Promise<SequenceScores>;
  close: () => Promise<void>;
}

export async function loadSequenceModel(file: string, options: { threads: number }): Promise<SequenceModel> {
  const session = await loadPackedSession(file, options);
  return {
    run: async (features, wordLengths) => {
      const networks = features.length;
      const phones = features[0]?.phones.length ?? 0;
      const shares = phoneWeights(wordLengths, phones);
      const { phoneScores, wordScores, sentenceScores } = await session.run({
        phones: tensor(
          features.flatMap((own) => own.phones.flat()),
          [networks, phones, features[0]?.phones[0]?.length ?? 0],
        ),
        words: tensor(
          features.flatMap(() => shares),
          [networks, wordLengths.length, phones],
        ),
        utterance: tensor(
          features.flatMap((own) => [...own.utterance]),
          [networks, features[0]?.utterance.length ?? 0],
        ),
      });
      const [accuracy = NaN, fluency = NaN, prosody = NaN] = numbersOf(sentenceScores, file);
      return { phones: numbersOf(phoneScores, file), words: numbersOf(wordScores, file), accuracy, fluency, prosody };
    },
    close: () => session.release(),
  };
}

const tensor = (values: readonly number[], dims: readonly number[]): ort.Tensor =>
  new ort.Tensor('float32', Float32Array.from(values), dims);

/** A `words` × `phones` matrix of each phone's weight in the mean of its word. */
function phoneWeights(wordLengths: readonly number[], phones: number): number[] {
  const shares = Array.from({ length: wordLengths.length * phones }, () => 0);
  let at = 0;
  wordLengths.forEach((length, word) => {
    shares.fill(1 / length, word * phones + at, word * phones + at + length);
    at += length;
  });
  return shares;
}

function numbersOf(output: ort.Tensor | undefined, file: string): number[] {
  if (!(output?.data instanceof Float32Array))
    throw new Error(`${file} does not return the expected scores; retrain it`);
  return [...output.data];
}
