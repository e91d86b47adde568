/** Suggests another level after consistent sessions. The learner decides; nothing changes automatically. */
import {
  DIFFICULTY_BY_LEVEL,
  ENGLISH_LEVELS,
  type EnglishLevel,
  PRACTICE_DIFFICULTIES,
  type PracticeDifficulty,
} from '../enumerations.ts';

export interface ScoredSession {
  difficulty: PracticeDifficulty;
  /** The overall score, 0-100. */
  score: number;
}

const SESSIONS_FOR_LEVEL_CHANGE = 3;
/** These values are our own choice, not from a study. */
const HARDER_FROM = 85;
const EASIER_BELOW = 50;

/**
 * `recent` are the learner's scored sessions since they last answered such a suggestion, newest first. A higher level
 * takes three high scores at or above the difficulty of the learner's level, a lower level three low scores at or below
 * it.
 */
export function suggestLevelChange(level: EnglishLevel, recent: readonly ScoredSession[]): EnglishLevel | null {
  const last = recent.slice(0, SESSIONS_FOR_LEVEL_CHANGE);
  if (last.length < SESSIONS_FOR_LEVEL_CHANGE) return null;
  const own = PRACTICE_DIFFICULTIES.indexOf(DIFFICULTY_BY_LEVEL[level]);
  const above = ({ difficulty }: ScoredSession): number => PRACTICE_DIFFICULTIES.indexOf(difficulty) - own;
  const at = ENGLISH_LEVELS.indexOf(level);
  if (last.every((session) => session.score >= HARDER_FROM && above(session) >= 0))
    return ENGLISH_LEVELS[at + 1] ?? null;
  if (last.every((session) => session.score < EASIER_BELOW && above(session) <= 0))
    return ENGLISH_LEVELS[at - 1] ?? null;
  return null;
}
