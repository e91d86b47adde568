/** The on-device scorer: assesses a recording against a text, and finds which of several texts was said. */
import { join } from 'node:path';
import type { Assessment } from '@parley/domain';
import { loadAcousticModel } from './acoustic/acoustic-model.ts';
import { createSpeechAnalyser } from './acoustic/analyse-speech.ts';
import { phoneSequencesOf, textFitPerPhone } from './align/align.ts';
import { compareTexts } from './contrast/compare-texts.ts';
import { loadPairMidpoints, PAIRS_FILE } from './contrast/pair-model.ts';
import { createRecognitionStream, type RecognitionStream } from './streaming/recognition-stream.ts';
import { loadDictionary } from './pronounce/dictionary.ts';
import { pronounceText } from './pronounce/pronounce.ts';
import { wordEnds } from './pronounce/spoken-form.ts';
import { assess, unusableAudio } from './score/assess.ts';
import { MIN_FIT } from './score/find-mismatch.ts';
import { findTries } from './score/last-try.ts';
import { ACOUSTIC_FILE, MODEL_DIR } from './score/model-dir.ts';
import { loadScorerModel } from './score/scorer-model.ts';
import { withoutHum } from './signal/remove-hum.ts';
import type { DraftWord } from './transcribe/transcribe.ts';
import { createTranscriber } from './transcribe/transcriber.ts';

/** How well each expected text matches a recording. */
export interface Ranking {
  /** Index of the best text; null when none matches. */
  best: number | null;
  /**
   * The fit of each text, as log-likelihood per phone relative to the best unconstrained sequence; null for a text that cannot be
   * pronounced.
   */
  fits: (number | null)[];
}

/** The transcript, without a text to compare it with. Empty when nothing was understood. */
export interface Draft {
  durationMs: number;
  snrDb: number | null;
  words: DraftWord[];
  /**
   * How well the words match the recording, as in a ranking. A badly recognised draft has a low fit even if its words
   * seem certain.
   */
  fit: number | null;
  unusable?: Assessment['unusable'];
}

/** Decides which of two similar texts was said; null when neither is clearly more likely. */
export type HeardText = 'text' | 'other' | null;

interface SpeechToAssess {
  pcm: Float32Array;
  text: string;
  /**
   * In a pair drill, the text that it must not sound like. Saying that text gives a low score instead of being refused
   * as something else.
   */
  other?: string | undefined;
}

export interface Scorer {
  /** `pcm` is 16 kHz mono, -1..1. Unusable audio does not throw; it gives an `unusable` assessment. */
  assess: (speech: SpeechToAssess) => Promise<Assessment>;
  /** Compares two texts that differ in a sound, such as the words of a minimal pair. */
  compare: (speech: { pcm: Float32Array; text: string; other: string }) => Promise<HeardText>;
  rank: (speech: { pcm: Float32Array; texts: readonly string[] }) => Promise<Ranking>;
  /** Drafts a transcript. `texts` are the replies that the practice expects; their words are expected more than others. */
  transcribe: (speech: { pcm: Float32Array; texts: readonly string[] }) => Promise<Draft>;
  /** Starts streaming recognition of one of these texts. */
  startRecognition: (texts: readonly string[]) => RecognitionStream;
  close: () => Promise<void>;
}

export interface ScorerOptions {
  modelDir?: string;
  /** The number of WebAssembly threads; one is enough for a sentence. */
  threads?: number;
}

/** Two texts are told apart from this log-odds on; the model card gives the accuracy. */
const MIN_LOG_ODDS = 0.5;
/** Without a measured midpoint, a word that the networks expect would win too easily. */
const MIN_UNCALIBRATED_LOG_ODDS = 2;

export async function createScorer(options: ScorerOptions = {}): Promise<Scorer> {
  const modelDir = options.modelDir ?? MODEL_DIR;
  const [acoustic, scorer, dictionary, midpointOf] = await Promise.all([
    loadAcousticModel(join(modelDir, ACOUSTIC_FILE), { threads: options.threads ?? 1 }),
    loadScorerModel(modelDir, { threads: options.threads ?? 1 }),
    loadDictionary(modelDir),
    loadPairMidpoints(join(modelDir, PAIRS_FILE)),
  ]);
  const analyse = createSpeechAnalyser(acoustic);
  const transcribe = createTranscriber(modelDir, dictionary);
  return {
    assess: ({ pcm, text, other }) =>
      assess(
        {
          pcm,
          words: pronounceText(text, dictionary),
          ...(other === undefined ? {} : { other: pronounceText(other, dictionary) }),
        },
        { analyse, scorer },
      ),
    compare: async ({ pcm: recorded, text, other }) => {
      const { pcm, report } = withoutHum(recorded);
      if (report.verdict === 'silent') return null;
      const texts = { text: pronounceText(text, dictionary), other: pronounceText(other, dictionary) };
      const midpoint = midpointOf(text, other);
      const tries = await findTries(pcm, [texts.text, texts.other], analyse);
      const said = await analyse(tries?.last.pcm ?? pcm);
      const logOdds = (compareTexts(said, texts, scorer.contrasts) ?? 0) - (midpoint ?? 0);
      if (Math.abs(logOdds) < (midpoint === null ? MIN_UNCALIBRATED_LOG_ODDS : MIN_LOG_ODDS)) return null;
      return logOdds > 0 ? 'other' : 'text';
    },
    startRecognition: (texts) =>
      createRecognitionStream(
        acoustic,
        texts.map((text) => ({ words: pronounceText(text, dictionary), ends: wordEnds(text) })),
      ),
    rank: async ({ pcm: recorded, texts }) => {
      const { pcm, report } = withoutHum(recorded);
      if (report.verdict === 'silent') return { best: null, fits: texts.map(() => null) };
      const orders = phoneSequencesOf((await analyse(pcm)).acousticOutput);
      const fits = texts.map((text) => textFitPerPhone(orders, pronounceText(text, dictionary)));
      let best: number | null = null;
      fits.forEach((fit, index) => {
        if (fit !== null && fit >= MIN_FIT && fit > (best === null ? -Infinity : (fits[best] ?? -Infinity)))
          best = index;
      });
      return { best, fits };
    },
    transcribe: async ({ pcm: recorded, texts }) => {
      const { pcm, report } = withoutHum(recorded);
      const { durationMs, snrDb } = report;
      const unusable = unusableAudio(report);
      if (unusable !== undefined) return { durationMs, snrDb, words: [], fit: null, unusable };
      const speech = await analyse(pcm);
      const words = await transcribe(speech, texts);
      const drafted = pronounceText(words.map(({ word }) => word).join(' '), dictionary);
      const fit = words.length === 0 ? null : textFitPerPhone(phoneSequencesOf(speech.acousticOutput), drafted);
      return { durationMs, snrDb, words, fit };
    },
    close: async () => {
      await acoustic.close();
      await scorer.sequence.close();
    },
  };
}
