/** Converts one Azure phrase to our words and scores. */
import { MISPRONUNCIATION_THRESHOLD, type PhonemeAssessment, roundScore, type WordAssessment } from '@parley/domain';
import { type Phrase, type PhrasePhoneme, type PhraseWord, phraseText, TICKS_PER_MS } from '../recognition/phrase.ts';
import { breakErrorBefore, isMonotone } from './prosody-errors.ts';

export interface Segment {
  text: string;
  words: WordAssessment[];
  accuracy: number | null;
  fluency: number | null;
  prosody: number | null;
  completeness: number | null;
  snrDb: number | null;
  isMonotone: boolean;
}

const MAX_HEARD_ALTERNATIVES = 5;
/** An assessment accepts phonemes of 1 to 8 characters. Azure's have up to three. */
const MAX_PHONEME_LENGTH = 8;

const ticksToMs = (ticks: number): number => Math.max(0, Math.round(ticks / TICKS_PER_MS));
const toScore = (score: number | undefined): number | null => (score === undefined ? null : roundScore(score));

/** Returns null when nothing was said: no match, silence, or no words. */
export function toSegment(phrase: Phrase): Segment | null {
  const topAlternative = phrase.NBest?.[0];
  const spoken = topAlternative?.Words?.filter(({ Word }) => Word.trim() !== '') ?? [];
  if (phrase.RecognitionStatus !== 'Success' || topAlternative === undefined || spoken.every(isOmitted)) return null;
  const scores = topAlternative.PronunciationAssessment;
  return {
    text: phraseText(phrase),
    words: toWordAssessments(spoken),
    accuracy: toScore(scores?.AccuracyScore),
    fluency: toScore(scores?.FluencyScore),
    prosody: toScore(scores?.ProsodyScore),
    completeness: toScore(scores?.CompletenessScore),
    snrDb: phrase.SNR === undefined ? null : Math.round(phrase.SNR * 10) / 10,
    isMonotone: isMonotone(spoken),
  };
}

const isOmitted = (word: PhraseWord): boolean => word.PronunciationAssessment?.ErrorType === 'Omission';

function toWordAssessments(given: readonly PhraseWord[]): WordAssessment[] {
  let lastEndMs = 0;
  const firstSpoken = given.findIndex((word) => !isOmitted(word));
  return given.map((word, index) => {
    const assessed = isOmitted(word)
      ? omittedWord(word.Word, lastEndMs)
      : spokenWord(word, { lastEndMs, isFirst: index === firstSpoken });
    lastEndMs = assessed.endMs;
    return assessed;
  });
}

/** An omitted word is placed where it should have been said. */
export const omittedWord = (word: string, atMs: number): WordAssessment => ({
  word: word.slice(0, 80),
  startMs: atMs,
  endMs: atMs,
  accuracy: 0,
  error: 'Omission',
  phonemes: [],
});

/** An inserted word has no text to be scored against. */
export const toInsertion = (word: WordAssessment): WordAssessment => ({
  ...word,
  accuracy: null,
  error: 'Insertion',
  phonemes: [],
});

function spokenWord(word: PhraseWord, { lastEndMs, isFirst }: { lastEndMs: number; isFirst: boolean }): WordAssessment {
  const accuracy = toScore(word.PronunciationAssessment?.AccuracyScore);
  const startMs = typeof word.Offset === 'number' ? ticksToMs(word.Offset) : lastEndMs;
  const spoken: WordAssessment = {
    word: word.Word.slice(0, 80),
    startMs,
    endMs: typeof word.Offset === 'number' ? ticksToMs(word.Offset + (word.Duration ?? 0)) : startMs,
    accuracy,
    error: 'None',
    phonemes: toPhonemes(word),
  };
  const given = word.PronunciationAssessment?.ErrorType;
  if (given === 'Insertion') return toInsertion(spoken);
  if (given === 'Mispronunciation' || (accuracy !== null && accuracy < MISPRONUNCIATION_THRESHOLD))
    return { ...spoken, error: 'Mispronunciation' };
  // The first word has no pause before it.
  return { ...spoken, error: (isFirst ? null : breakErrorBefore(word)) ?? 'None' };
}

function toPhonemes(word: PhraseWord): PhonemeAssessment[] {
  const given = word.Phonemes ?? [];
  const shift = phonemeShiftTicks(word, given[0]);
  return given.slice(0, 80).flatMap((phoneme) => {
    const { Phoneme: name = '', Offset, Duration, PronunciationAssessment: scores } = phoneme;
    if (name === '' || name.length > MAX_PHONEME_LENGTH) return [];
    const heardAs = heardAlternatives(phoneme);
    return {
      phoneme: name,
      startMs: ticksToMs(Offset + shift),
      endMs: ticksToMs(Offset + shift + Duration),
      accuracy: toScore(scores?.AccuracyScore),
      ...(heardAs.length > 0 && { heardAs }),
    };
  });
}

/** When the service starts a new turn, the SDK shifts the words to their place in the audio but not their phonemes. */
function phonemeShiftTicks({ Offset, Duration }: PhraseWord, first: PhrasePhoneme | undefined): number {
  if (first === undefined || typeof Offset !== 'number') return 0;
  const isInside = first.Offset >= Offset - TICKS_PER_MS && first.Offset <= Offset + (Duration ?? 0);
  return isInside ? 0 : Offset - first.Offset;
}

/** Returns the phonemes that scored higher than the expected one. When the expected phoneme scored highest, there are none. */
function heardAlternatives({
  Phoneme: expected,
  PronunciationAssessment: scores,
}: PhrasePhoneme): { phoneme: string; likelihood: number }[] {
  const candidates = scores?.NBestPhonemes ?? [];
  const ownScore = candidates.find(({ Phoneme: name }) => name === expected)?.Score ?? 0;
  return candidates
    .filter(
      ({ Phoneme: name, Score }) =>
        name !== '' && name.length <= MAX_PHONEME_LENGTH && name !== expected && Score > ownScore,
    )
    .toSorted((a, b) => b.Score - a.Score)
    .slice(0, MAX_HEARD_ALTERNATIVES)
    .map(({ Phoneme: name, Score }) => ({ phoneme: name, likelihood: Math.min(100, Math.round(Score)) / 100 }));
}
