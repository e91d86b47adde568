/** Parses Azure's `speech.phrase` message: the fields that we read. Times are in ticks of 100 ns. */
import { z } from 'zod';

export const TICKS_PER_MS = 10_000;

const Confidence = z.object({ Confidence: z.number() });

const Prosody = z.object({
  Break: z
    .object({
      ErrorTypes: z.array(z.string()).optional(),
      UnexpectedBreak: Confidence.optional(),
      MissingBreak: Confidence.optional(),
    })
    .optional(),
  Intonation: z
    .object({
      ErrorTypes: z.array(z.string()).optional(),
      Monotone: z.object({ Confidence: z.number().optional() }).optional(),
    })
    .optional(),
});

const Phoneme = z.object({
  /** Absent in locales that have scores but no phoneme names. */
  Phoneme: z.string().optional(),
  Offset: z.number(),
  Duration: z.number(),
  PronunciationAssessment: z
    .object({
      AccuracyScore: z.number().optional(),
      /** Candidates for the spoken phoneme, 0-100, best first. */
      NBestPhonemes: z.array(z.object({ Phoneme: z.string(), Score: z.number() })).optional(),
    })
    .optional(),
});
export type PhrasePhoneme = z.infer<typeof Phoneme>;

const Word = z.object({
  Word: z.string(),
  /** An omitted word has no offset: the SDK turns a missing field into null. */
  Offset: z.number().nullish(),
  Duration: z.number().nullish(),
  PronunciationAssessment: z
    .object({
      AccuracyScore: z.number().optional(),
      ErrorType: z.string().optional(),
      Feedback: z.object({ Prosody: Prosody.optional() }).optional(),
    })
    .optional(),
  Phonemes: z.array(Phoneme).optional(),
});
export type PhraseWord = z.infer<typeof Word>;

const Alternative = z.object({
  Display: z.string().optional(),
  PronunciationAssessment: z
    .object({
      AccuracyScore: z.number().optional(),
      FluencyScore: z.number().optional(),
      ProsodyScore: z.number().optional(),
      CompletenessScore: z.number().optional(),
    })
    .optional(),
  Words: z.array(Word).optional(),
});

export const Phrase = z.object({
  RecognitionStatus: z.string(),
  Offset: z.number().nullish(),
  Duration: z.number().nullish(),
  DisplayText: z.string().optional(),
  /** Signal-to-noise ratio in decibels. */
  SNR: z.number().optional(),
  NBest: z.array(Alternative).optional(),
});
export type Phrase = z.infer<typeof Phrase>;

export const phraseText = (phrase: Phrase): string => (phrase.NBest?.[0]?.Display ?? phrase.DisplayText ?? '').trim();

export const joinTexts = (phrases: readonly Phrase[]): string =>
  phrases
    .map(phraseText)
    .filter((text) => text !== '')
    .join(' ');

/** Returns null when the message is not a phrase or lacks the scores that were requested. */
export function parsePhrase(json: string, { isAssessed }: { isAssessed: boolean }): Phrase | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  const { data } = Phrase.safeParse(value);
  if (data === undefined) return null;
  if (!isAssessed || data.RecognitionStatus !== 'Success') return data;
  return lacksScores(data) ? null : data;
}

/**
 * Detects words without any score, which mean that no assessment was made. Version 2 of the endpoint answers silence
 * with an empty `Success` (microsoft/cognitive-services-speech-sdk-js#908), for which no scores are expected.
 */
const lacksScores = (phrase: Phrase): boolean =>
  phrase.NBest?.[0]?.PronunciationAssessment === undefined &&
  (phraseText(phrase) !== '' || (phrase.NBest?.[0]?.Words ?? []).length > 0);
