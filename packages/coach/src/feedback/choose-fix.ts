/** Chooses the one thing to fix: the clearest instance of what pulled the score down most. */
import {
  type Assessment,
  type FeedbackPoint,
  isSpokenWord,
  listedSpelling,
  MAX_POINT_WORD,
  MIN_WORDS_FOR_PROSODY,
  pitchSpan,
  SCORE_DIMENSIONS,
  type ScoreDimension,
  TRAIN_PHONEME_BELOW,
  TRAIN_WORD_BELOW,
  type TurnId,
  type WordAssessment,
} from '@parley/domain';
import { isFunctionWord } from '../text/comparable-words.ts';
import type { SessionToReview } from './session-to-review.ts';

/** A dimension from this score on needs no fix. */
const GOOD_ENOUGH = 95;
/** A dimension below this score comes before the language. */
const WEAK_BELOW = 70;
/** A sound is named as said instead only if it was at least this likely. */
const HEARD_FROM_LIKELIHOOD = 0.4;
const MAX_ALSO = 2;

interface ScoredTurn {
  turnId: TurnId;
  assessment: Assessment;
}
interface SaidWord extends ScoredTurn {
  word: WordAssessment & { accuracy: number };
  /** The word before it in the same turn. */
  before: WordAssessment | null;
}

export const scoredTurns = ({ turns }: SessionToReview): ScoredTurn[] =>
  turns.flatMap(({ turnId, assessment }) =>
    assessment === null || assessment.unusable !== undefined ? [] : [{ turnId, assessment }],
  );

export function chooseFix(session: SessionToReview): FeedbackPoint {
  if (session.turns.length === 0) return { code: 'nothing_said' };
  const scored = scoredTurns(session);
  const byDimension: Record<ScoreDimension, () => FeedbackPoint | null> = {
    accuracy: () => weakestWord(scored),
    fluency: () => longestPause(scored),
    prosody: () => flattestTurn(scored),
    completeness: () => omission(scored),
  };
  const ranked = measuredDimensions(session).toSorted((a, b) => a.score - b.score);
  for (const { dimension } of ranked) {
    const fault = byDimension[dimension]();
    if (fault !== null) return fault;
  }
  const [lowest] = ranked;
  if (lowest !== undefined && lowest.score < WEAK_BELOW) {
    const sentence = weakestSentence(scored, lowest.dimension);
    if (sentence !== null) return sentence;
  }
  return refusal(session) ?? languageFix(session, lowest);
}

/** The sentence that scored lowest in a dimension. */
function weakestSentence(turns: readonly ScoredTurn[], dimension: ScoreDimension): FeedbackPoint | null {
  const ranked = turns
    .flatMap(({ turnId, assessment }) => {
      const score = assessment[dimension];
      const said = assessment.words.filter(isSpokenWord);
      const isLongEnough = dimension !== 'prosody' || said.length >= MIN_WORDS_FOR_PROSODY;
      if (score === null || said.length === 0 || !isLongEnough) return [];
      const [startMs, endMs] = [said[0]?.startMs ?? 0, said.at(-1)?.endMs ?? 0].map(Math.round) as [number, number];
      return [{ turnId, startMs, endMs, score: Math.round(score) }];
    })
    .toSorted((a, b) => a.score - b.score);
  const [weakest] = ranked;
  return weakest === undefined ? null : { code: 'weak_sentence', dimension, ...weakest };
}

export const measuredDimensions = ({ scores }: SessionToReview): { dimension: ScoreDimension; score: number }[] =>
  SCORE_DIMENSIONS.flatMap((dimension) => {
    const score = scores[dimension];
    return score === null ? [] : [{ dimension, score: Math.round(score) }];
  });

function languageFix(
  session: SessionToReview,
  lowest: { dimension: ScoreDimension; score: number } | undefined,
): FeedbackPoint {
  if (session.mainCorrection !== null) return { code: 'correction', index: session.mainCorrection };
  const open = session.objectivesJudged ? session.objectives.filter(({ isDone }) => !isDone) : [];
  const [first] = open;
  if (first !== undefined) return { code: 'objective_open', objectiveId: first.objectiveId, others: open.length - 1 };
  if (lowest !== undefined && lowest.score < GOOD_ENOUGH)
    return weakestSentence(scoredTurns(session), lowest.dimension) ?? { code: 'lowest_dimension', ...lowest };
  const hinted = session.turns.filter(({ hintLevel }) => hintLevel > 0).length;
  if (hinted > 0) return { code: 'hints', turns: hinted };
  const isAllProved = session.objectives.length > 0 && session.objectives.every(({ isDone }) => isDone);
  return lowest !== undefined || isAllProved ? { code: 'nothing_to_fix' } : { code: 'not_measured' };
}

/** Why audio was recorded but none of it could be scored; null when something was scored. */
function refusal({ turns, scores }: SessionToReview): FeedbackPoint | null {
  if (SCORE_DIMENSIONS.some((dimension) => scores[dimension] !== null)) return null;
  const unusable = turns.find(({ assessment }) => assessment?.unusable !== undefined)?.assessment?.unusable;
  return unusable === undefined ? null : { code: 'not_scored', reason: unusable.reason, cause: unusable.cause ?? null };
}

const saidWords = (turns: readonly ScoredTurn[]): SaidWord[] =>
  turns.flatMap((turn) =>
    turn.assessment.words.flatMap((word, index): SaidWord[] =>
      word.accuracy === null || !isSpokenWord(word)
        ? []
        : [{ ...turn, word: { ...word, accuracy: word.accuracy }, before: turn.assessment.words[index - 1] ?? null }],
    ),
  );

const placeOf = ({ turnId, word }: SaidWord): { turnId: TurnId; startMs: number; endMs: number } => ({
  turnId,
  startMs: Math.round(word.startMs),
  endMs: Math.round(word.endMs),
});

const wordText = ({ word }: SaidWord): string => word.word.slice(0, MAX_POINT_WORD);

const weakestSound = ({ phonemes }: WordAssessment) =>
  phonemes
    .filter(({ accuracy }) => accuracy !== null && accuracy < TRAIN_PHONEME_BELOW)
    .toSorted((a, b) => (a.accuracy ?? 0) - (b.accuracy ?? 0))[0];

/** Words that carry meaning come first, because a listener needs them most. */
function weakestWord(turns: readonly ScoredTurn[]): FeedbackPoint | null {
  const words = saidWords(turns);
  const weak = words.filter(({ word }) => word.accuracy < TRAIN_WORD_BELOW || weakestSound(word) !== undefined);
  const worst = weak.toSorted(
    (a, b) =>
      Number(isFunctionWord(listedSpelling(a.word.word))) - Number(isFunctionWord(listedSpelling(b.word.word))) ||
      a.word.accuracy - b.word.accuracy,
  )[0];
  if (worst === undefined) return null;
  const sound = weakestSound(worst.word);
  const score = Math.round(worst.word.accuracy);
  if (sound === undefined) return { code: 'word', ...placeOf(worst), word: wordText(worst), score };
  const rival = sound.heardAs?.toSorted((a, b) => b.likelihood - a.likelihood)[0];
  const others = weak.filter(
    ({ word }) =>
      listedSpelling(word.word) !== listedSpelling(worst.word.word) && weakestSound(word)?.phoneme === sound.phoneme,
  );
  return {
    code: 'sound',
    ...placeOf(worst),
    word: wordText(worst),
    sound: sound.phoneme,
    heard: rival === undefined || rival.likelihood < HEARD_FROM_LIKELIHOOD ? null : rival.phoneme,
    score,
    also: [...new Set(others.map(wordText))].slice(0, MAX_ALSO),
  };
}

function longestPause(turns: readonly ScoredTurn[]): FeedbackPoint | null {
  const pauses = saidWords(turns)
    .filter(({ word, before }) => word.error === 'UnexpectedBreak' && before !== null)
    .map((said) => ({ said, fromMs: said.before?.endMs ?? 0 }))
    .toSorted((a, b) => b.said.word.startMs - b.fromMs - (a.said.word.startMs - a.fromMs));
  const [longest] = pauses;
  if (longest === undefined) return null;
  const { said, fromMs } = longest;
  const startMs = Math.round(said.before?.startMs ?? fromMs);
  return {
    code: 'pause',
    ...placeOf(said),
    startMs,
    word: wordText(said),
    pauseMs: Math.max(0, Math.round(said.word.startMs - fromMs)),
  };
}

function flattestTurn(turns: readonly ScoredTurn[]): FeedbackPoint | null {
  const flat = turns
    .filter(({ assessment }) => assessment.words.some(({ error }) => error === 'Monotone'))
    .flatMap(({ turnId, assessment }) => {
      const semitones = pitchSpan(assessment.pitch);
      return semitones === null ? [] : [{ turnId, semitones, endMs: Math.round(assessment.durationMs) }];
    })
    .toSorted((a, b) => a.semitones - b.semitones);
  const [flattest] = flat;
  return flattest === undefined
    ? null
    : { code: 'flat', ...flattest, startMs: 0, semitones: Math.round(flattest.semitones * 10) / 10 };
}

function omission(turns: readonly ScoredTurn[]): FeedbackPoint | null {
  const counted = turns.map(({ turnId, assessment }) => ({
    turnId,
    words: assessment.words
      .filter(({ error }) => error === 'Omission')
      .map(({ word }) => word.slice(0, MAX_POINT_WORD)),
  }));
  const most = counted.toSorted((a, b) => b.words.length - a.words.length)[0];
  return most === undefined || most.words.length === 0
    ? null
    : { code: 'left_out', turnId: most.turnId, words: most.words.slice(0, 3) };
}
