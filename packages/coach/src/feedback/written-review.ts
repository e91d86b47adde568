/** The review of a conversation whose language nobody judged: the turns and the ticks, in sentences. */
import type { CoachReview, ObjectiveId, SessionScores } from '@parley/domain';
import type { Held } from '../coach.ts';
import { cutText } from '../cut-text.ts';
import { writeFeedback, writeSummary } from './write-feedback.ts';

const NOT_MEASURED: SessionScores = {
  accuracy: null,
  fluency: null,
  prosody: null,
  completeness: null,
  pron: null,
  words: null,
  overall: null,
};

/** The bounds of `CoachReview`; an objective's description alone may be longer than a sentence of it. */
const MAX_SENTENCE = 400;
const MAX_SUMMARY = 600;

export function writtenReview(
  practice: { title: string; objectives: readonly { objectiveId: ObjectiveId; description: string }[] },
  { turns, completed }: Held,
): CoachReview {
  const done = new Set(completed.map(({ objectiveId }) => objectiveId));
  const learnerTurns = turns.filter((turn) => turn.role === 'learner');
  const session = {
    title: practice.title,
    assessments: [],
    scores: NOT_MEASURED,
    objectives: practice.objectives.map((one) => ({ description: one.description, done: done.has(one.objectiveId) })),
    objectivesJudged: true,
    learnerTurns: learnerTurns.length,
    hintedTurns: learnerTurns.filter((turn) => turn.hintLevel > 0).length,
  };
  const { best, fix, nextStep } = writeFeedback(session);
  return {
    best: cutText(best, MAX_SENTENCE),
    fix: cutText(fix, MAX_SENTENCE),
    nextStep: cutText(nextStep, MAX_SENTENCE),
    summary: cutText(writeSummary(session), MAX_SUMMARY),
    corrections: [],
    remember: [],
    languageQuality: null,
  };
}
