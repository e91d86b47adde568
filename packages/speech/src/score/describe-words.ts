/** Each word of the text with its place, its sounds and what was wrong with it; and what was said besides. */
import {
  type Assessment,
  MISPRONUNCIATION_BELOW,
  type PhonemeAssessment,
  roundScore,
  type WordAssessment,
} from '@parley/domain';
import { FRAME_MS, type Hearing, type Posteriors } from '../acoustic/acoustic-model.ts';
import { type AlignedPhone, type AlignedWord, type Alignment, ordersOf, textFitPerPhone } from '../align/align.ts';
import { sliceHearing } from '../acoustic/acoustic-model.ts';
import { BLANK, ipaOf } from '../pronounce/phones.ts';
import type { WordToSay } from '../pronounce/pronounce.ts';
import { breakBefore, silenceBetween } from './breaks.ts';
import type { UtteranceScores } from './score-piece.ts';

/** From this probability on a learner is told that another sound was heard; see the model card for how often that is right. */
const EXCHANGED_FROM = 0.8;
/** The most that such a sound can get: experts are milder with it than a listener who hears another word. */
const MOST_FOR_EXCHANGED = 70;
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
  pauses: Assessment['pauses'];
  isMonotone: boolean;
}

/** A word can show one error: left out, mispronounced, a pause, a flat melody, in this order. */
export function describeWords(spoken: Spoken): WordAssessment[] {
  const measured = markMonotone(markBreaks(measureWords(spoken), spoken), spoken);
  const described = measured.flatMap((word, index) => [...insertionsBefore(spoken, index), word]);
  return [...described, ...insertionsBefore(spoken, spoken.words.length)];
}

function measureWords(spoken: Spoken): WordAssessment[] {
  const alignedByWord = alignedWords(spoken);
  let lastEndMs = spoken.startMs;
  return spoken.words.map((asked, index) => {
    const found = alignedByWord.get(index);
    const word =
      found === undefined ? unsaidWord(asked, spoken.omitted.has(index), lastEndMs) : saidWord(asked, found, spoken);
    lastEndMs = word.endMs;
    return word;
  });
}

/** Where nothing was said there is nothing to hear: its place is where it should have been. */
function unsaidWord({ word, pronunciations }: WordToSay, isOmitted: boolean, ms: number): WordAssessment {
  const at = { startMs: ms, endMs: ms };
  if (!isOmitted) return { word, ...at, accuracy: null, error: 'None', phonemes: [] };
  const [usual] = pronunciations;
  const phonemes = (usual?.phones ?? []).map((phone, index) => ({
    phoneme: ipaOf(usual?.outputs[index] ?? BLANK, phone),
    ...at,
    accuracy: 0,
  }));
  return { word, ...at, accuracy: 0, error: 'Omission', phonemes };
}

function saidWord({ word }: WordToSay, found: FoundWord, { hearing, startMs }: Spoken): WordAssessment {
  const phonemes = found.aligned.phones.map((phone, at): PhonemeAssessment => {
    const heardAs = (found.exchanged[at] ?? 0) >= EXCHANGED_FROM ? rivalsOf(phone, hearing.sounds) : [];
    const score = roundScore((found.phoneScores[at] ?? 0) * 50);
    return {
      phoneme: ipaOf(phone.output, phone.phone),
      startMs: startMs + phone.firstFrame * FRAME_MS,
      endMs: startMs + (phone.lastFrame + 1) * FRAME_MS,
      ...(heardAs.length === 0 ? { accuracy: score } : { accuracy: Math.min(score, MOST_FOR_EXCHANGED), heardAs }),
    };
  });
  const accuracy = roundScore(found.score * 10);
  return {
    word,
    startMs: phonemes[0]?.startMs ?? startMs,
    endMs: phonemes.at(-1)?.endMs ?? startMs,
    accuracy,
    error: accuracy < MISPRONUNCIATION_BELOW ? 'Mispronunciation' : 'None',
    phonemes,
  };
}

const isSaid = ({ accuracy, error }: WordAssessment): boolean => accuracy !== null && error !== 'Omission';

function markBreaks(words: WordAssessment[], { words: asked, alignment, pauses }: Spoken): WordAssessment[] {
  return words.map((word, index) => {
    const before = words[index - 1];
    if (before === undefined || word.error !== 'None' || !isSaid(word) || !isSaid(before)) return word;
    if (alignment.insertions.some(({ beforeWord }) => beforeWord === index)) return word;
    const ms = silenceBetween(before, word, pauses);
    const error = breakBefore({ ms, asked: asked[index - 1]?.pauseAfter ?? 'none' });
    return error === null ? word : { ...word, error };
  });
}

/** The flat stretch is marked where it begins, at one word: it is one thing to change, not ten mistakes. */
function markMonotone(words: WordAssessment[], { isMonotone }: Spoken): WordAssessment[] {
  const first = isMonotone ? words.findIndex((word) => word.error === 'None' && isSaid(word)) : -1;
  return words.map((word, index) => (index === first ? { ...word, error: 'Monotone' } : word));
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
