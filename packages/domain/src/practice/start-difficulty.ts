/** The initial difficulty of a practice, unless the learner chooses another in its briefing. */
import { DIFFICULTY_BY_LEVEL, type EnglishLevel, type PracticeDifficulty } from '../enumerations.ts';

export interface LearnerChoices {
  /** The difficulty that the learner last chose in a briefing. */
  practiceDifficulty: PracticeDifficulty | null;
  englishLevel: EnglishLevel | null;
}

/** `level` is the level of the practice, which is used while the learner has none. */
export const startDifficulty = (
  { practiceDifficulty, englishLevel }: LearnerChoices,
  level: EnglishLevel,
): PracticeDifficulty => practiceDifficulty ?? DIFFICULTY_BY_LEVEL[englishLevel ?? level];
