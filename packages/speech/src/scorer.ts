/** The on-device scorer: assesses a recording against a text, and ranks what of several texts was said. */
import { join } from 'node:path';
import type { Assessment } from '@parley/domain';
import { loadAcousticModel } from './acoustic/acoustic-model.ts';
import { createHear } from './acoustic/hear.ts';
import { ordersOf, textFitPerPhone } from './align/align.ts';
import { createListening, type Listening } from './listen/listening.ts';
import { loadDictionary } from './pronounce/dictionary.ts';
import { pronounceText } from './pronounce/pronounce.ts';
import { wordEnds } from './pronounce/spoken-form.ts';
import { assess } from './score/assess.ts';
import { ACOUSTIC_FILE, MODEL_DIR } from './score/model-dir.ts';
import { loadScorerModel } from './score/scorer-model.ts';
import { inspectAudio } from './signal/inspect.ts';

/** What a recording is most likely to say, of the texts that were expected. */
export interface Ranking {
  /** Index into the texts; null when none fits. */
  best: number | null;
  /** Log-likelihood a phone relative to any sounds at all, a text; null where a text cannot be pronounced. */
  fits: (number | null)[];
}

export interface Scorer {
  /** `pcm` is 16 kHz mono, -1..1. Never throws for bad audio: that is an `unusable` assessment. */
  assess: (speech: { pcm: Float32Array; text: string }) => Promise<Assessment>;
  rank: (speech: { pcm: Float32Array; texts: readonly string[] }) => Promise<Ranking>;
  /** Follows a voice that is still speaking through one of these texts. */
  listen: (texts: readonly string[]) => Listening;
  close: () => Promise<void>;
}

export interface ScorerOptions {
  modelDir?: string;
  /** WebAssembly threads; one is enough for a sentence. */
  threads?: number;
}

/** A text that fits worse than this is not what was said; measured on held-out speakers, see the model card. */
export const NONE_FITS_BELOW = -2.6;

export async function createScorer(options: ScorerOptions = {}): Promise<Scorer> {
  const modelDir = options.modelDir ?? MODEL_DIR;
  const [acoustic, scorer, dictionary] = await Promise.all([
    loadAcousticModel(join(modelDir, ACOUSTIC_FILE), { threads: options.threads ?? 1 }),
    loadScorerModel(modelDir, { threads: options.threads ?? 1 }),
    loadDictionary(join(modelDir, 'pronunciations.tsv')),
  ]);
  const hear = createHear(acoustic);
  return {
    assess: ({ pcm, text }) => assess({ pcm, words: pronounceText(text, dictionary) }, { hear, scorer }),
    listen: (texts) =>
      createListening(
        acoustic,
        texts.map((text) => ({ words: pronounceText(text, dictionary), ends: wordEnds(text) })),
      ),
    rank: async ({ pcm, texts }) => {
      const report = inspectAudio(pcm);
      if (report.verdict === 'silent') return { best: null, fits: texts.map(() => null) };
      const orders = ordersOf((await hear(pcm)).hearing);
      const fits = texts.map((text) => textFitPerPhone(orders, pronounceText(text, dictionary)));
      let best: number | null = null;
      fits.forEach((fit, index) => {
        if (fit !== null && fit >= NONE_FITS_BELOW && fit > (best === null ? -Infinity : (fits[best] ?? -Infinity)))
          best = index;
      });
      return { best, fits };
    },
    close: async () => {
      await acoustic.close();
      await scorer.sequence.close();
    },
  };
}
