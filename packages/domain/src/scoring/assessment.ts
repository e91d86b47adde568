/** The result of measuring an utterance, in one shape for the cloud and the on-device scorer. A value that was not measured is null. */
import { z } from 'zod';

/** 0-100 with one decimal; null when it was not measured. */
export const Score = z.number().min(0).max(100);
export type Score = z.infer<typeof Score>;

const Milliseconds = z.number().min(0);

export const WORD_ERRORS = [
  'None',
  'Omission',
  'Insertion',
  'Mispronunciation',
  'UnexpectedBreak',
  'MissingBreak',
  'Monotone',
] as const;
export type WordError = (typeof WORD_ERRORS)[number];

/** A word under this accuracy counts as mispronounced. */
export const MISPRONUNCIATION_THRESHOLD: number = 60;

export const PhonemeAssessment = z.object({
  /** IPA symbol. */
  phoneme: z.string().min(1).max(8),
  startMs: Milliseconds,
  endMs: Milliseconds,
  accuracy: Score.nullable(),
  /** The sounds it was most likely confused with, most likely first. Likelihood is 0-1. */
  heardAs: z
    .array(z.object({ phoneme: z.string().min(1).max(8), likelihood: z.number().min(0).max(1) }))
    .max(5)
    .optional(),
});
export type PhonemeAssessment = z.infer<typeof PhonemeAssessment>;

const MAX_WORD_CHARACTERS = 80;
const MAX_WORD_PHONEMES = 80;
const MAX_WORDS = 2_000;

/** One written word, such as a card number, may contain any number of sounds. The first ones are stored and shown. */
export const shortenWord = <Word extends { word: string; phonemes: Phoneme[] }, Phoneme>(word: Word): Word => ({
  ...word,
  word: word.word.slice(0, MAX_WORD_CHARACTERS),
  phonemes: word.phonemes.slice(0, MAX_WORD_PHONEMES),
});

const AnyWordAssessment = z.object({
  word: z.string().min(1),
  startMs: Milliseconds,
  endMs: Milliseconds,
  accuracy: Score.nullable(),
  error: z.enum(WORD_ERRORS),
  phonemes: z.array(PhonemeAssessment),
});

/** A longer word is shortened, because app versions from before this limit have stored some. */
export const WordAssessment = AnyWordAssessment.overwrite(shortenWord);
export type WordAssessment = z.infer<typeof WordAssessment>;

export const UNUSABLE_REASONS = ['silent', 'clipped', 'noisy', 'too_short', 'not_the_text'] as const;
export type UnusableReason = (typeof UNUSABLE_REASONS)[number];

/**
 * Details beyond the reason: the voice was quiet, only the beginning was said, or free speech differs from its
 * transcript.
 */
export const UNUSABLE_CAUSES = ['too_quiet', 'first_part', 'free_speech'] as const;
export type UnusableCause = (typeof UNUSABLE_CAUSES)[number];

export const Assessment = z.object({
  source: z.enum(['azure', 'device']),
  durationMs: Milliseconds,
  /** Signal-to-noise ratio in decibels; null if the recording has no speech or no pause from which to measure it. */
  snrDb: z.number().nullable(),
  accuracy: Score.nullable(),
  fluency: Score.nullable(),
  prosody: Score.nullable(),
  completeness: Score.nullable(),
  pron: Score.nullable(),
  words: z.array(WordAssessment).max(MAX_WORDS),
  pitch: z.array(z.object({ ms: Milliseconds, hz: z.number().positive() })).max(20_000),
  pauses: z.array(z.object({ startMs: Milliseconds, endMs: Milliseconds })).max(2_000),
  unusable: z
    .object({
      reason: z.enum(UNUSABLE_REASONS),
      cause: z.enum(UNUSABLE_CAUSES).optional(),
      /** English, for app versions that do not know reasons; screens word the reason themselves. */
      /** English, for app versions that do not know reasons; screens word the reason themselves. */
      hint: z.string().min(1).max(300),
    })
    .optional(),
});
export type Assessment = z.infer<typeof Assessment>;

/** Values that `Assessment` leaves unchanged, because no word has to be shortened. */
export const ShortAssessment = Assessment.extend({
  words: z
    .array(
      AnyWordAssessment.extend({
        word: AnyWordAssessment.shape.word.max(MAX_WORD_CHARACTERS),
        phonemes: AnyWordAssessment.shape.phonemes.max(MAX_WORD_PHONEMES),
      }),
    )
    .max(MAX_WORDS),
});
