/** Three sentences after a practice: the best thing, one thing to fix, the next step. Only of what was measured. */
import type { Assessment, Feedback, ScoreDimension, SessionScores, WordToTrain } from '@parley/domain';
import { describeSound } from '../sounds.ts';
import { wordsToTrain } from './words-to-train.ts';

export interface SessionToReview {
  title: string;
  /** Of the spoken turns; empty for a typed session. */
  assessments: readonly Assessment[];
  scores: SessionScores;
  objectives: readonly { description: string; done: boolean }[];
  /** False where nobody has judged all that was said: what is open may have been reached. */
  objectivesJudged: boolean;
  learnerTurns: number;
  /** Turns in which a hint was opened. */
  hintedTurns: number;
}

const PRAISE: Readonly<Record<ScoreDimension, string>> = {
  accuracy: 'Your sounds were clear',
  fluency: 'You spoke with a good, steady flow',
  prosody: 'Your rhythm and melody sounded natural',
  completeness: 'You said your sentences to the end',
};

const FIX: Readonly<Record<ScoreDimension, { weak: string; lowest: string; advice: string }>> = {
  accuracy: {
    weak: 'Some sounds were not clear yet',
    lowest: 'your sounds',
    advice: 'slow down a little on long words and finish each word',
  },
  fluency: {
    weak: 'You stopped often inside sentences',
    lowest: 'your flow',
    advice: 'read the whole line once in silence, then say it in one breath',
  },
  prosody: {
    weak: 'Your voice stayed rather level',
    lowest: 'your rhythm and melody',
    advice: 'make the most important word of each sentence higher and longer',
  },
  completeness: {
    weak: 'Some words were left out',
    lowest: 'saying every word',
    advice: 'say each sentence to its last word',
  },
};

const GOOD_FROM = 70;
const COMPLETE_FROM = 95;

export function writeFeedback(session: SessionToReview): Feedback {
  const words = wordsToTrain(session.assessments);
  if (session.learnerTurns === 0) return { ...ofNothing(session), wordsToTrain: words };
  return {
    best: bestSentence(session),
    fix: fixSentence(session, words),
    nextStep: nextSentence(session, words),
    wordsToTrain: words,
  };
}

/** Who left before the first answer has done nothing well or badly. */
const ofNothing = ({ title }: SessionToReview): Omit<Feedback, 'wordsToTrain'> => ({
  best: 'You ended before your first answer, so there is nothing to say here yet.',
  fix: 'Nothing was said that could be measured: one short answer is enough to begin with.',
  nextStep: `Next, hold “${title}” again, and open a hint if no words come.`,
});

/** One or two sentences for the list of past sessions. */
export function writeSummary(session: SessionToReview): string {
  if (session.learnerTurns === 0) return 'You ended it before your first answer.';
  const done = session.objectives.filter((objective) => objective.done).length;
  const turns = countOf(session.learnerTurns, 'turn');
  if (!session.objectivesJudged)
    return `You talked for ${turns}. The coach could not be reached to judge all of your objectives.`;
  const reached =
    session.objectives.length === 0
      ? `You talked for ${turns}.`
      : `You reached ${done} of ${session.objectives.length} objectives in ${turns}.`;
  const { pron } = session.scores;
  return pron === null ? reached : `${reached} Your pronunciation scored ${Math.round(pron)} of 100.`;
}

const rankedDimensions = (scores: SessionScores): { name: ScoreDimension; score: number }[] =>
  (['accuracy', 'fluency', 'prosody'] as const)
    .flatMap((name) => (scores[name] === null ? [] : [{ name, score: scores[name] }]))
    .toSorted((a, b) => b.score - a.score);

function bestSentence(session: SessionToReview): string {
  const [best] = rankedDimensions(session.scores);
  const done = session.objectives.filter((objective) => objective.done);
  if (best !== undefined && best.score >= GOOD_FROM) return `${PRAISE[best.name]}: ${Math.round(best.score)} of 100.`;
  if (done[0] !== undefined && done.length === session.objectives.length)
    return 'You reached every objective of this practice.';
  if (done[0] !== undefined) return `You did what you came for here: ${lowerFirst(done[0].description)}`;
  return `You kept the conversation going for ${countOf(session.learnerTurns, 'turn')}, and that is how speaking gets easier.`;
}

function fixSentence(session: SessionToReview, words: readonly WordToTrain[]): string {
  const [worst] = words;
  const sound = worst?.worstPhonemes[0];
  if (worst !== undefined && sound !== undefined) {
    const heard = rivalOf(session.assessments, { word: worst.word, phoneme: sound });
    const instead = heard === null ? '' : ` It sounded more like ${describeSound(heard)}.`;
    return `In “${worst.word}”, work on ${describeSound(sound)}.${instead}`;
  }
  const unheard = whyUnheard(session);
  if (unheard !== null) return `What you said could not be scored. ${unheard}`;
  const { completeness } = session.scores;
  if (completeness !== null && completeness < COMPLETE_FROM)
    return `${FIX.completeness.weak}: ${FIX.completeness.advice}.`;
  const weakest = rankedDimensions(session.scores).at(-1);
  if (weakest !== undefined) {
    const { weak, lowest, advice } = FIX[weakest.name];
    const found = weakest.score < GOOD_FROM ? weak : `Your lowest score is ${Math.round(weakest.score)}, for ${lowest}`;
    return `${found}: ${advice}.`;
  }
  const open = session.objectives.find((objective) => !objective.done);
  if (open !== undefined && session.objectivesJudged) return stillOpen(session, open);
  if (session.hintedTurns > 0)
    return `You opened hints in ${countOf(session.hintedTurns, 'turn')}: try the next round with fewer.`;
  return session.objectives.length === 0 || open !== undefined
    ? 'Nothing was measured here that could show what to work on.'
    : 'You reached every objective without a hint: try the same practice one level harder.';
}

/** The first of them, and how many there are. */
function stillOpen({ objectives }: SessionToReview, first: { description: string }): string {
  const others = objectives.filter(({ done }) => !done).length - 1;
  const more = others === 0 ? '' : ` ${others} more ${others === 1 ? 'is' : 'are'} open too.`;
  return `Still open: ${lowerFirst(first.description)}${more}`;
}

/** What to do about it, where there was sound and none of it could be scored; else null. */
function whyUnheard({ assessments, scores }: SessionToReview): string | null {
  if (rankedDimensions(scores).length > 0) return null;
  return assessments.find(({ unusable }) => unusable !== undefined)?.unusable?.hint ?? null;
}

function nextSentence(session: SessionToReview, words: readonly WordToTrain[]): string {
  if (words.length > 0) {
    const listed = words.slice(0, 3).map(({ word }) => `“${word}”`);
    return `Next, say ${joinWords(listed)} three times each, then hold “${session.title}” again.`;
  }
  if (whyUnheard(session) !== null)
    return `Next, check the microphone in Settings, then hold “${session.title}” again.`;
  const open = session.objectives.find((objective) => !objective.done);
  if (open !== undefined)
    return `Next, hold “${session.title}” again and aim for this: ${lowerFirst(open.description)}`;
  return session.scores.pron === null
    ? `Next, hold “${session.title}” by voice, so that your pronunciation can be scored too.`
    : `Next, hold “${session.title}” again one level harder.`;
}

/** What the weak sound was heard as most, where the scorer could tell. */
function rivalOf(assessments: readonly Assessment[], sought: { word: string; phoneme: string }): string | null {
  const rivals = assessments
    .flatMap((assessment) => assessment.words)
    .filter((word) => word.word.toLowerCase() === sought.word)
    .flatMap((word) => word.phonemes)
    .filter((phoneme) => phoneme.phoneme === sought.phoneme)
    .flatMap((phoneme) => phoneme.heardAs ?? [])
    .toSorted((a, b) => b.likelihood - a.likelihood);
  const [first] = rivals;
  return first === undefined || first.likelihood < 0.4 ? null : first.phoneme;
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const lowerFirst = (text: string): string =>
  `${text.charAt(0).toLowerCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
