/** The on-device scorer: assesses a recording against a text, and ranks what of several texts was said. */
import { join } from 'node:path';
import type { Assessment } from '@parley/domain';
import { loadAcousticModel } from './acoustic/acoustic-model.ts';
import { textFit } from './align/align.ts';
import { loadDictionary } from './pronounce/dictionary.ts';
import { pronounceText } from './pronounce/pronounce.ts';
import { assess } from './score/assess.ts';
import { MODEL_DIR } from './score/model-dir.ts';
import { loadScorerModel } from './score/scorer-model.ts';
import { inspectAudio } from './signal/inspect.ts';
import { logMel } from './signal/log-mel.ts';
import { prepareSpeech } from './signal/prepare-speech.ts';

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
    loadAcousticModel(join(modelDir, 'acoustic.onnx'), { threads: options.threads ?? 1 }),
    loadScorerModel(modelDir),
    loadDictionary(join(modelDir, 'pronunciations.tsv')),
  ]);
  return {
    assess: ({ pcm, text }) => assess({ pcm, words: pronounceText(text, dictionary) }, { acoustic, scorer }),
    rank: async ({ pcm, texts }) => {
      const report = inspectAudio(pcm);
      if (report.verdict === 'silent') return { best: null, fits: texts.map(() => null) };
      const posteriors = await acoustic.run(logMel(prepareSpeech(pcm, report).pcm));
      const fits = texts.map((text) => {
        const words = pronounceText(text, dictionary);
        const fit = textFit(posteriors, words);
        const phones = words.reduce((sum, word) => sum + (word.pronunciations[0]?.outputs.length ?? 0), 0);
        return fit === null ? null : (fit * posteriors.frames) / Math.max(1, phones);
      });
      let best: number | null = null;
      fits.forEach((fit, index) => {
        if (fit !== null && fit >= NONE_FITS_BELOW && fit > (best === null ? -Infinity : (fits[best] ?? -Infinity)))
          best = index;
      });
      return { best, fits };
    },
    close: () => acoustic.close(),
  };
}
