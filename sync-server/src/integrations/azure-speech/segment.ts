/** A phrase of Azure's as words and scores of ours. */
import { MISPRONUNCIATION_BELOW, type PhonemeAssessment, roundScore, type WordAssessment } from '@parley/domain';
import { type Phrase, type PhrasePhoneme, type PhraseWord, textOf, TICKS_A_MS } from './phrase.ts';
import { breakBefore, isMonotone } from './prosody-errors.ts';

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

const MAX_RIVALS = 5;
/** An assessment takes phonemes of 1 to 8 characters; Azure's have up to three. */
const MAX_PHONEME_LENGTH = 8;

const msOf = (ticks: number): number => Math.max(0, Math.round(ticks / TICKS_A_MS));
const scoreOf = (score: number | undefined): number | null => (score === undefined ? null : roundScore(score));

/** Null where nothing was said: no match, silence, or words that are none. */
export function segmentOf(phrase: Phrase): Segment | null {
  const best = phrase.NBest?.[0];
  const said = best?.Words?.filter(({ Word }) => Word.trim() !== '') ?? [];
  if (phrase.RecognitionStatus !== 'Success' || best === undefined || said.every(isOmitted)) return null;
  const scores = best.PronunciationAssessment;
  return {
    text: textOf(phrase),
    words: wordsOf(said),
    accuracy: scoreOf(scores?.AccuracyScore),
    fluency: scoreOf(scores?.FluencyScore),
    prosody: scoreOf(scores?.ProsodyScore),
    completeness: scoreOf(scores?.CompletenessScore),
    snrDb: phrase.SNR === undefined ? null : Math.round(phrase.SNR * 10) / 10,
    isMonotone: isMonotone(said),
  };
}

const isOmitted = (word: PhraseWord): boolean => word.PronunciationAssessment?.ErrorType === 'Omission';

function wordsOf(told: readonly PhraseWord[]): WordAssessment[] {
  let lastEndMs = 0;
  const firstSaid = told.findIndex((word) => !isOmitted(word));
  return told.map((word, index) => {
    const assessed = isOmitted(word)
      ? unsaidWord(word.Word, lastEndMs)
      : saidWord(word, { lastEndMs, isFirst: index === firstSaid });
    lastEndMs = assessed.endMs;
    return assessed;
  });
}

/** Left out: its place is where it should have been. */
export const unsaidWord = (word: string, atMs: number): WordAssessment => ({
  word: word.slice(0, 80),
  startMs: atMs,
  endMs: atMs,
  accuracy: 0,
  error: 'Omission',
  phonemes: [],
});

/** Said, but not in the text: there is nothing to hold it against. */
export const asInsertion = (word: WordAssessment): WordAssessment => ({
  ...word,
  accuracy: null,
  error: 'Insertion',
  phonemes: [],
});

function saidWord(word: PhraseWord, { lastEndMs, isFirst }: { lastEndMs: number; isFirst: boolean }): WordAssessment {
  const accuracy = scoreOf(word.PronunciationAssessment?.AccuracyScore);
  const startMs = typeof word.Offset === 'number' ? msOf(word.Offset) : lastEndMs;
  const said: WordAssessment = {
    word: word.Word.slice(0, 80),
    startMs,
    endMs: typeof word.Offset === 'number' ? msOf(word.Offset + (word.Duration ?? 0)) : startMs,
    accuracy,
    error: 'None',
    phonemes: phonemesOf(word),
  };
  const told = word.PronunciationAssessment?.ErrorType;
  if (told === 'Insertion') return asInsertion(said);
  if (told === 'Mispronunciation' || (accuracy !== null && accuracy < MISPRONUNCIATION_BELOW))
    return { ...said, error: 'Mispronunciation' };
  // Before the first word nobody pauses.
  return { ...said, error: (isFirst ? null : breakBefore(word)) ?? 'None' };
}

function phonemesOf(word: PhraseWord): PhonemeAssessment[] {
  const told = word.Phonemes ?? [];
  const shift = shiftOf(word, told[0]);
  return told.slice(0, 80).flatMap((phoneme) => {
    const { Phoneme: name = '', Offset, Duration, PronunciationAssessment: scores } = phoneme;
    if (name === '' || name.length > MAX_PHONEME_LENGTH) return [];
    const heardAs = rivalsOf(phoneme);
    return {
      phoneme: name,
      startMs: msOf(Offset + shift),
      endMs: msOf(Offset + shift + Duration),
      accuracy: scoreOf(scores?.AccuracyScore),
      ...(heardAs.length > 0 && { heardAs }),
    };
  });
}

/** Where the service begins a new turn, the SDK moves the words to their place in the sound, but not their phonemes. */
function shiftOf({ Offset, Duration }: PhraseWord, first: PhrasePhoneme | undefined): number {
  if (first === undefined || typeof Offset !== 'number') return 0;
  const isInside = first.Offset >= Offset - TICKS_A_MS && first.Offset <= Offset + (Duration ?? 0);
  return isInside ? 0 : Offset - first.Offset;
}

/** The sounds that were rather heard than the expected one. Where that came first nothing else was heard. */
function rivalsOf({
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
    .slice(0, MAX_RIVALS)
    .map(({ Phoneme: name, Score }) => ({ phoneme: name, likelihood: Math.min(100, Math.round(Score)) / 100 }));
}
