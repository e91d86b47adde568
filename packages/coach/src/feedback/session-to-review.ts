/** The inputs of feedback: the conversation, its measurements, and the objectives. */
import type { LearnerTurn, ObjectiveId, PracticeDifficulty, PracticeId, SessionScores, TurnId } from '@parley/domain';

export interface SessionToReview {
  /** The learner's turns, in order. */
  turns: readonly Pick<LearnerTurn, 'turnId' | 'assessment' | 'hintLevel'>[];
  scores: SessionScores;
  objectives: readonly {
    objectiveId: ObjectiveId;
    isDone: boolean;
    /** The turn that proves it; null while it is open, and where only its completion is known. */
    provedIn: TurnId | null;
  }[];
  /** False when not every turn was judged, so an open objective may in fact have been reached. */
  objectivesJudged: boolean;
  /** The place of the correction that a model coach found most important; null when it made none. */
  mainCorrection: number | null;
  difficulty: PracticeDifficulty;
  /** The sounds that were weak in earlier attempts too, the weakest first. */
  weakSounds: readonly string[];
  /** The words that the learner has taken off their list, as they are listed. A review does not show them. */
  removedWords: ReadonlySet<string>;
  /** Another practice with two words that have the sound; null when there is none. */
  practiceWithSound: (sound: string) => { practiceId: PracticeId; words: [string, string] } | null;
}
