/** Explains in the result why there is nothing to show. */
import { formatLocale, t } from '@parley/i18n';
import type { ResultView } from '@parley/contract';
import { type Feedback, isLanguageJudged, type LearnerTurn } from '@parley/domain';
import type { ScoreColumn } from '@parley/ui';

/** Why a session has no overall score. */
export function whyNotScored({ session, toScoreElsewhere }: Pick<ResultView, 'session' | 'toScoreElsewhere'>): string {
  if (!session.turns.some(({ role }) => role === 'learner')) return t('Not measured: you didn’t answer.');
  if (session.phase === 'scoring') return t('Not measured yet.');
  if (session.phase === 'scoring_failed') return t('Not measured: scoring failed.');
  if (session.communicationStyle === 'text') return t('Not measured: you wrote in this practice.');
  const isAnyTurnToScore = session.turns.some(
    (turn) => turn.role === 'learner' && turn.assessment === null && turn.recordingId !== null && turn.text !== '',
  );
  if (toScoreElsewhere > 0 || isAnyTurnToScore) return t('Not measured yet.');
  const isAnyTurnScored = session.turns.some(
    (turn) => turn.role === 'learner' && turn.assessment !== null && turn.assessment.unusable === undefined,
  );
  return isAnyTurnScored
    ? t('Not measured: the conversation was too short for an overall score.')
    : t('Not measured: nothing was sent that could be scored.');
}

export interface RetryNotice {
  tone: 'warn' | 'info';
  label: string;
  busyLabel: string;
  text: string;
}

/** The part that can be requested again; null if neither scores nor the coach's review are missing. */
export function retryNotice({
  session,
  isReviewWaiting,
}: Pick<ResultView, 'session' | 'isReviewWaiting'>): RetryNotice | null {
  if (session.phase === 'scoring_failed')
    return {
      tone: 'warn',
      label: t('Try again'),
      busyLabel: t('Scoring…'),
      text: t('Parley couldn’t score this practice. Everything you said is kept.'),
    };
  if (session.phase === 'scoring')
    return {
      tone: 'info',
      label: t('Score now'),
      busyLabel: t('Scoring…'),
      text: t('Your scores aren’t ready yet. Everything you said is kept, and Parley will try again automatically.'),
    };
  if (!isReviewWaiting) return null;
  return {
    tone: 'info',
    label: t('Ask now'),
    busyLabel: t('Asking…'),
    text: t(
      'Your coach couldn’t be reached. What you see was measured on this computer; your coach’s comments will appear later.',
    ),
  };
}

/** Null if no answer is waiting for another computer. */
export function toScoreElsewhereSentence({
  toScoreElsewhere: count,
}: Pick<ResultView, 'toScoreElsewhere'>): string | null {
  return count === 0
    ? null
    : t(
        '{count, plural, one {One of your answers has no score yet, because its recording is on another computer. If you open Parley there, it’ll be scored.} other {# of your answers have no score yet, because their recordings are on another computer. If you open Parley there, they’ll be scored.}}',
        { count },
      );
}

/** The overall scores of this practice up to this session; null when it is the first one with a score. */
export function scoresSoFar({ earlierScores, overall }: Pick<ResultView, 'earlierScores' | 'overall'>): string | null {
  if (overall === null || earlierScores.length === 0) return null;
  const scores = [...earlierScores, overall].map((score) => String(Math.round(score)));
  const list = new Intl.ListFormat(formatLocale(), { type: 'unit', style: 'short' }).format(scores);
  return t('Your scores for this practice so far: {scores}', { scores: list });
}

/** A word with at least this score is not marked. */
const CLEAR_FROM = 80;

const wordScores = (turns: readonly Pick<LearnerTurn, 'assessment'>[]): number[] =>
  turns
    .flatMap(({ assessment }) => (assessment?.unusable === undefined ? (assessment?.words ?? []) : []))
    .flatMap(({ accuracy, error }) => (accuracy === null || error === 'Omission' ? [] : [accuracy]));

/** A smaller difference needs no explanation. */
const NOTICED_POINTS = 3;

/** Why the overall score differs from those of the words; null when it hardly does, or nothing was measured. */
export function wordsExplanation(
  turns: readonly Pick<LearnerTurn, 'assessment'>[],
  { total, columns }: { total: number | null; columns: readonly ScoreColumn[] },
): string | null {
  const scores = wordScores(turns);
  if (total === null || scores.length === 0) return null;
  const words = Math.round(scores.reduce((sum, score) => sum + score, 0) / scores.length);
  if (Math.abs(words - Math.round(total)) < NOTICED_POINTS) return null;
  const isLower = total < words;
  const reason = columns
    .filter(({ score, weight }) => weight > 0 && score !== null)
    .map(({ name, score, weight }) => ({ name, score: score ?? 0, effect: weight * ((score ?? 0) - words) }))
    .toSorted((a, b) => (isLower ? a.effect - b.effect : b.effect - a.effect))[0];
  if (reason === undefined) return null;
  const values = { words, name: reason.name, score: Math.round(reason.score) };
  return isLower
    ? t('Your words alone averaged {words}. {name} ({score}) pulled the overall score down the most.', values)
    : t('Your words alone averaged {words}. {name} ({score}) raised the overall score the most.', values);
}

export function clearWordCount(turns: readonly Pick<LearnerTurn, 'assessment'>[]): { clear: number; total: number } {
  const scores = wordScores(turns);
  return { clear: scores.filter((score) => score >= CLEAR_FROM).length, total: scores.length };
}

/** Null when there are corrections to show, or when no review has been asked for yet. */
export function missingCorrectionsReason(
  feedback: Pick<Feedback, 'corrections'> | null,
  { hasAnswered, isText }: { hasAnswered: boolean; isText: boolean },
): string | null {
  if (!hasAnswered) return t('You didn’t say anything in this practice, so there’s nothing to look at yet.');
  if (feedback === null) return null;
  if (!isLanguageJudged(feedback))
    return t('The coach couldn’t be reached to check your wording. {value}', {
      value: isText ? t('Your language isn’t part of your score.') : t('This doesn’t change your scores.'),
    });
  return feedback.corrections?.length === 0 ? t('The coach found nothing to correct in your wording.') : null;
}

export function answerCountSentence(
  turns: readonly Pick<LearnerTurn, 'hintLevel' | 'fitted'>[],
  { isModelCoach }: { isModelCoach: boolean },
): string {
  if (turns.length === 0) return t('You didn’t answer in this practice.');
  const hinted = turns.filter((turn) => turn.hintLevel > 0).length;
  const askedAgain = turns.filter((turn) => !turn.fitted).length;
  const answered = t(
    '{count, plural, one {You answered once.} =2 {You answered twice.} other {You answered # times.}}',
    {
      count: turns.length,
    },
  );
  const hints = t(
    '{count, plural, =0 {You used no hints.} one {You used a hint once.} =2 {You used a hint twice.} other {You used a hint # times.}}',
    {
      count: hinted,
    },
  );
  if (isModelCoach) return `${answered} ${hints}`;
  const repeated = t(
    '{count, plural, =0 {} one {Your coach had to ask again once.} =2 {Your coach had to ask again twice.} other {Your coach had to ask again # times.}}',
    { count: askedAgain },
  );
  return `${answered} ${hints} ${repeated}`.trim();
}
