/** Loads the language model with the first draft, and keeps the lexicon of the current practice. */
import { join } from 'node:path';
import type { AnalysedSpeech } from '../acoustic/analyse-speech.ts';
import type { PronouncingDictionary } from '../pronounce/phones.ts';
import {
  countWords,
  createLanguageModel,
  LANGUAGE_FILE,
  type LanguageModel,
  loadWordCounts,
  type WordCounts,
} from './language-model.ts';
import { createLexicon, type Lexicon } from './lexicon.ts';
import { type DraftWord, transcribe } from './transcribe.ts';

/** Drafts the words of a recording; `texts` are the replies that the practice expects. */
export type Transcriber = (speech: AnalysedSpeech, texts: readonly string[]) => Promise<DraftWord[]>;

export function createTranscriber(modelDir: string, dictionary: PronouncingDictionary): Transcriber {
  let everyday: Promise<WordCounts> | null = null;
  let latest: { key: string; models: { lexicon: Lexicon; language: LanguageModel } } | null = null;
  return async (speech, texts) => {
    everyday ??= loadWordCounts(join(modelDir, LANGUAGE_FILE)).catch((error: unknown) => {
      // The next draft reads the file again.
      everyday = null;
      throw error;
    });
    const counts = await everyday;
    const key = texts.join('\n');
    if (latest?.key !== key) {
      const language = createLanguageModel(counts, texts.length === 0 ? null : countWords(texts));
      const lexicon = createLexicon(language.vocabulary, dictionary, language.logProbabilityAlone);
      latest = { key, models: { lexicon, language } };
    }
    return transcribe(speech, latest.models);
  };
}
