/** Builds the review of a conversation whose language was not judged, from its turns and completed objectives. */
import type { CoachReview, ObjectiveId, SessionScores } from '@parley/domain';
import type { ConversationState } from '../coach.ts';
import { toStoredFeedback, toStoredSummary } from './choose-feedback.ts';
import type { SessionToReview } from './session-to-review.ts';

const NOT_MEASURED: SessionScores = {
  accuracy: null,
  fluency: null,
  prosody: null,
  completeness: null,
  pron: null,
  words: null,
  overall: null,
};

export function reviewWithoutModel(
  { objectives }: { objectives: readonly { objectiveId: ObjectiveId }[] },
  { turns, completed }: ConversationState,
): CoachReview {
  const done = new Set(completed.map(({ objectiveId }) => objectiveId));
  const session: SessionToReview = {
    turns: turns.flatMap((turn) => (turn.role === 'learner' ? [{ ...turn, assessment: null }] : [])),
    scores: NOT_MEASURED,
    objectives: objectives.map(({ objectiveId }) => ({
      objectiveId,
      isDone: done.has(objectiveId),
      provedIn: null,
    })),
    objectivesJudged: true,
    mainCorrection: null,
    difficulty: 'hard',
    weakSounds: [],
    removedWords: new Set(),
    practiceWithSound: () => null,
  };
  const { wordsToTrain: _words, ...points } = toStoredFeedback(session);
  return { ...points, summary: toStoredSummary(session), corrections: [], remember: [], languageQuality: null };
}
