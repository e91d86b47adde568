/** Describes each word of the text with its position, phones and error, and any inserted speech. */
import { type Assessment, MISPRONUNCIATION_THRESHOLD, type WordAssessment } from '@parley/domain';
import { FRAME_MS, type AcousticOutput } from '../acoustic/acoustic-model.ts';
import { type AlignedWord, type Alignment, phoneSequencesOf, textFitPerPhone } from '../align/align.ts';
import { mayLackEnding } from '../align/endings.ts';
import { hasFurtherDigit } from '../align/further-digit.ts';
import { isTeenOrTen } from '../align/teens.ts';
import { sliceAcousticOutput } from '../acoustic/acoustic-model.ts';
import { ipaOf } from '../pronounce/phones.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { classifyBreak, silenceBetween } from './breaks.ts';
import type { UtteranceScores } from './score-segment.ts';
import { lostToRules, lowerByExchanges, type WordScores } from './substitutions.ts';

/** Inserted speech is named only when it repeats an adjacent word; otherwise it appears as this. */
export const UNKNOWN_WORD = '…';
const MIN_REPETITION_FIT = -2;
const MIN_INSERTION_MS = 160;

export interface SpokenUtterance {
  words: readonly ExpectedWord[];
  omitted: ReadonlySet<number>;
  alignment: Alignment;
  hearing: AcousticOutput;
  scores: UtteranceScores;
  /** The position of the first frame in the recording. */
  startMs: number;
  pauses: Assessment['pauses'];
  isMonotone: boolean;
  /** Whether one word was asked for; others of the text may have no known pronunciation. */
  isSingleWord: boolean;
}

/** A word shows one error at most, in this order: omission, mispronunciation, break, monotone. */
export function describeWords(utterance: SpokenUtterance): WordAssessment[] {
  const measured = markMonotone(markBreaks(measureWords(utterance), utterance), utterance);
  const described = measured.flatMap((word, index) => [...insertionsBefore(utterance, index), word]);
  return [...described, ...insertionsBefore(utterance, utterance.words.length)];
}

/** The points that the rules take from the accuracy of the sentence: each word weighs the same in it. */
export function accuracyLostToRules(utterance: SpokenUtterance): number {
  const found = [...scoredWordsByIndex(utterance)];
  const lost = found.reduce((sum, [index, word]) => {
    const asked = utterance.words[index];
    return asked === undefined ? sum : sum + lostToRules(judgedScores(asked, word, utterance));
  }, 0);
  return found.length === 0 ? 0 : lost / found.length;
}

function measureWords(utterance: SpokenUtterance): WordAssessment[] {
  const alignedByWord = scoredWordsByIndex(utterance);
  let lastEndMs = utterance.startMs;
  return utterance.words.map((asked, index) => {
    const found = alignedByWord.get(index);
    const word =
      found === undefined
        ? unspokenWord(asked, utterance.omitted.has(index), lastEndMs)
        : spokenWord(asked, found, utterance);
    lastEndMs = word.endMs;
    return word;
  });
}

/** An omitted word is placed where it should have been said. It has no sounds, because none were recognised. */
function unspokenWord({ word }: ExpectedWord, isOmitted: boolean, ms: number): WordAssessment {
  const unheard = { word, startMs: ms, endMs: ms, phonemes: [] };
  return isOmitted ? { ...unheard, accuracy: 0, error: 'Omission' } : { ...unheard, accuracy: null, error: 'None' };
}

/** The scores of a word with the evidence of those rules alone that apply to it. */
const judgedScores = (
  { word }: ExpectedWord,
  { aligned, scores }: ScoredWord,
  { isSingleWord, words, alignment: { insertions }, hearing }: SpokenUtterance,
): WordScores => ({
  ...scores,
  leftOut: mayLackEnding(word, aligned.phones, { isSingleWord }) ? scores.leftOut : [],
  confusedNumbers: isTeenOrTen(word) ? scores.confusedNumbers : [],
  hasFurtherDigit: isTeenOrTen(word) && hasFurtherDigit(aligned, { words, insertions, hearing }),
});

function spokenWord(asked: ExpectedWord, found: ScoredWord, utterance: SpokenUtterance): WordAssessment {
  const { word } = asked;
  const { startMs, isSingleWord } = utterance;
  const { phones, word: accuracy } = lowerByExchanges(judgedScores(asked, found, utterance), { isSingleWord });
  const phonemes = found.aligned.phones.map((phone, at) => ({
    phoneme: ipaOf(phone.output, phone.phone),
    startMs: startMs + phone.firstFrame * FRAME_MS,
    endMs: startMs + (phone.lastFrame + 1) * FRAME_MS,
    ...(phones[at] ?? { accuracy: 0 }),
  }));
  return {
    word,
    startMs: phonemes[0]?.startMs ?? startMs,
    endMs: phonemes.at(-1)?.endMs ?? startMs,
    accuracy,
    error: accuracy < MISPRONUNCIATION_THRESHOLD ? 'Mispronunciation' : 'None',
    phonemes,
  };
}

const isSpoken = ({ accuracy, error }: WordAssessment): boolean => accuracy !== null && error !== 'Omission';

function markBreaks(words: WordAssessment[], { words: asked, alignment, pauses }: SpokenUtterance): WordAssessment[] {
  return words.map((word, index) => {
    const before = words[index - 1];
    if (before === undefined || word.error !== 'None' || !isSpoken(word) || !isSpoken(before)) return word;
    if (alignment.insertions.some(({ beforeWord }) => beforeWord === index)) return word;
    const ms = silenceBetween(before, word, pauses);
    const error = classifyBreak({ ms, asked: asked[index - 1]?.pauseAfter ?? 'none' });
    return error === null ? word : { ...word, error };
  });
}

/** Only the first word of a flat stretch is marked, because it is one thing to improve rather than ten mistakes. */
function markMonotone(words: WordAssessment[], { isMonotone }: SpokenUtterance): WordAssessment[] {
  const first = isMonotone ? words.findIndex((word) => word.error === 'None' && isSpoken(word)) : -1;
  return words.map((word, index) => (index === first ? { ...word, error: 'Monotone' } : word));
}

interface ScoredWord {
  aligned: AlignedWord;
  scores: WordScores;
}

function scoredWordsByIndex({ alignment, scores }: SpokenUtterance): Map<number, ScoredWord> {
  let at = 0;
  return new Map(
    alignment.words.map((aligned, index) => {
      const end = at + aligned.phones.length;
      const ofWord: WordScores = {
        phones: scores.phones.slice(at, end),
        exchanges: scores.exchanges.slice(at, end),
        leftOut: scores.leftOut.slice(at, end),
        confusedNumbers: scores.confusedNumbers.slice(at, end),
        rivals: scores.rivals.slice(at, end),
        word: scores.words[index] ?? 0,
      };
      at = end;
      return [aligned.word, { aligned, scores: ofWord }];
    }),
  );
}

function insertionsBefore({ alignment, words, hearing, startMs }: SpokenUtterance, index: number): WordAssessment[] {
  return alignment.insertions
    .filter(({ beforeWord }) => beforeWord === index)
    .flatMap(({ firstFrame, lastFrame }) => {
      if ((lastFrame - firstFrame + 1) * FRAME_MS < MIN_INSERTION_MS) return [];
      const orders = phoneSequencesOf(sliceAcousticOutput(hearing, firstFrame, lastFrame + 1));
      const neighbours = [words[index - 1], words[index]].filter((word) => word !== undefined);
      const repeated = neighbours
        .map((word) => ({ word: word.word, fit: textFitPerPhone(orders, [word]) ?? -Infinity }))
        .toSorted((a, b) => b.fit - a.fit)[0];
      return [
        {
          word: repeated !== undefined && repeated.fit >= MIN_REPETITION_FIT ? repeated.word : UNKNOWN_WORD,
          startMs: startMs + firstFrame * FRAME_MS,
          endMs: startMs + (lastFrame + 1) * FRAME_MS,
          accuracy: null,
          error: 'Insertion',
          phonemes: [],
        } satisfies WordAssessment,
      ];
    });
}
