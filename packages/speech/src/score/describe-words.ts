/** Each word of the text with its place, its sounds and what was wrong with it; and what was said besides. */
import { MISPRONUNCIATION_BELOW, type PhonemeAssessment, roundScore, type WordAssessment } from '@parley/domain';
import { FRAME_MS, type Hearing, type Posteriors } from '../acoustic/acoustic-model.ts';
import { type AlignedPhone, type AlignedWord, type Alignment, ordersOf, textFitPerPhone } from '../align/align.ts';
import { sliceHearing } from '../acoustic/acoustic-model.ts';
import { BLANK, ipaOf } from '../pronounce/phones.ts';
import type { WordToSay } from '../pronounce/pronounce.ts';
import { breakBefore } from './breaks.ts';
import type { UtteranceScores } from './score-piece.ts';

/** From this probability on a learner is told that another sound was heard; see the model card for how often that is right. */
const EXCHANGED_FROM = 0.8;
/** The most that such a sound, and the word that it makes another word of, can get. */
const MOST_FOR_EXCHANGED_PHONE = 40;
const MOST_FOR_EXCHANGED_WORD = 59;
const MIN_RIVAL_LIKELIHOOD = 0.1;
/** Speech that was added is named only when it is a repetition of its neighbour; otherwise this stands for it. */
const UNKNOWN_WORD = '…';
const REPEATED_FROM = -2;
const MIN_INSERTION_MS = 160;

export interface Spoken {
  words: readonly WordToSay[];
  omitted: ReadonlySet<number>;
  alignment: Alignment;
  hearing: Hearing;
  scores: UtteranceScores;
  /** Where the first frame lies in the recording. */
  startMs: number;
  isMonotone: boolean;
}

export function describeWords(spoken: Spoken): WordAssessment[] {
  const { words, omitted } = spoken;
  const alignedByWord = alignedWords(spoken);
  const described: WordAssessment[] = [];
  let previous: { aligned: AlignedWord; asked: WordToSay['pauseAfter'] } | null = null;
  let lastEndMs = 0;
  let isFlatMarked = false;
  const place = (frame: number): number => spoken.startMs + frame * FRAME_MS;
  for (let index = 0; index <= words.length; index += 1) {
    const inserted = insertionsBefore(spoken, index);
    described.push(...inserted);
    const asked = words[index];
    if (asked === undefined) break;
    const { word } = asked;
    const found = alignedByWord.get(index);
    if (found === undefined) {
      const isOmitted = omitted.has(index);
      // Where nothing was said there is nothing to hear: the place is where it should have been.
      const at = { word, startMs: lastEndMs, endMs: lastEndMs };
      described.push({
        ...at,
        accuracy: isOmitted ? 0 : null,
        error: isOmitted ? 'Omission' : 'None',
        phonemes: isOmitted ? omittedPhonemes(asked, lastEndMs) : [],
      });
      continue;
    }
    const phonemes = found.aligned.phones.map((phone, at): PhonemeAssessment => {
      const isExchanged = (found.exchanged[at] ?? 0) >= EXCHANGED_FROM;
      const heardAs = isExchanged ? rivalsOf(phone, spoken.hearing.sounds) : [];
      const score = roundScore((found.phoneScores[at] ?? 0) * 50);
      const accuracy = heardAs.length > 0 ? Math.min(score, MOST_FOR_EXCHANGED_PHONE) : score;
      return {
        phoneme: ipaOf(phone.output, phone.phone),
        startMs: place(phone.firstFrame),
        endMs: place(phone.lastFrame + 1),
        accuracy,
        ...(heardAs.length > 0 ? { heardAs } : {}),
      };
    });
    const score = roundScore(found.score * 10);
    const isExchanged = phonemes.some(({ heardAs }) => heardAs !== undefined);
    const accuracy = isExchanged ? Math.min(score, MOST_FOR_EXCHANGED_WORD) : score;
    const startMs = phonemes[0]?.startMs ?? lastEndMs;
    const pause =
      previous === null || inserted.length > 0 ? null : breakBefore({ ms: startMs - lastEndMs, asked: previous.asked });
    const isFlat = spoken.isMonotone && !isFlatMarked;
    const error = accuracy < MISPRONUNCIATION_BELOW ? 'Mispronunciation' : (pause ?? (isFlat ? 'Monotone' : 'None'));
    if (error === 'Monotone') isFlatMarked = true;
    lastEndMs = phonemes.at(-1)?.endMs ?? startMs;
    described.push({ word, startMs, endMs: lastEndMs, accuracy, error, phonemes });
    previous = { aligned: found.aligned, asked: asked.pauseAfter };
  }
  return described;
}

interface FoundWord {
  aligned: AlignedWord;
  /** 0-10 and 0-2, as the experts score. */
  score: number;
  phoneScores: number[];
  exchanged: number[];
}

function alignedWords({ alignment, scores }: Spoken): Map<number, FoundWord> {
  let at = 0;
  return new Map(
    alignment.words.map((aligned, index) => {
      const end = at + aligned.phones.length;
      const phoneScores = scores.phones.slice(at, end);
      const exchanged = scores.exchanged.slice(at, end);
      at = end;
      return [aligned.word, { aligned, score: scores.words[index] ?? 0, phoneScores, exchanged }];
    }),
  );
}

const omittedPhonemes = ({ pronunciations }: WordToSay, ms: number): PhonemeAssessment[] =>
  (pronunciations[0]?.phones ?? []).map((phone, index) => ({
    phoneme: ipaOf(pronunciations[0]?.outputs[index] ?? 0, phone),
    startMs: ms,
    endMs: ms,
    accuracy: 0,
  }));

function insertionsBefore({ alignment, words, hearing, startMs }: Spoken, index: number): WordAssessment[] {
  return alignment.insertions
    .filter(({ beforeWord }) => beforeWord === index)
    .flatMap(({ firstFrame, lastFrame }) => {
      if ((lastFrame - firstFrame + 1) * FRAME_MS < MIN_INSERTION_MS) return [];
      const orders = ordersOf(sliceHearing(hearing, firstFrame, lastFrame + 1));
      const neighbours = [words[index - 1], words[index]].filter((word) => word !== undefined);
      const repeated = neighbours
        .map((word) => ({ word: word.word, fit: textFitPerPhone(orders, [word]) ?? -Infinity }))
        .toSorted((a, b) => b.fit - a.fit)[0];
      return [
        {
          word: repeated !== undefined && repeated.fit >= REPEATED_FROM ? repeated.word : UNKNOWN_WORD,
          startMs: startMs + firstFrame * FRAME_MS,
          endMs: startMs + (lastFrame + 1) * FRAME_MS,
          accuracy: null,
          error: 'Insertion',
          phonemes: [],
        } satisfies WordAssessment,
      ];
    });
}

/** What else the sound could have been, over the frames in which it sounds; likelihoods of all phones sum to 1. */
function rivalsOf(phone: AlignedPhone, { outputs, logProbs }: Posteriors): { phoneme: string; likelihood: number }[] {
  const frames = phone.lastFrame - phone.firstFrame + 1;
  const likelihoods = Array.from({ length: outputs }, (_, output) => {
    if (output === BLANK) return 0;
    let sum = 0;
    for (let frame = phone.firstFrame; frame <= phone.lastFrame; frame += 1)
      sum += logProbs[frame * outputs + output] as number;
    return Math.exp(sum / frames);
  });
  const sum = likelihoods.reduce((total, each) => total + each, 0);
  return likelihoods
    .map((likelihood, output) => ({ output, likelihood: likelihood / sum }))
    .filter(({ output, likelihood }) => output !== phone.output && likelihood >= MIN_RIVAL_LIKELIHOOD)
    .toSorted((a, b) => b.likelihood - a.likelihood)
    .slice(0, 3)
    .map(({ output, likelihood }) => ({ phoneme: ipaOf(output), likelihood: Math.round(likelihood * 100) / 100 }));
}
