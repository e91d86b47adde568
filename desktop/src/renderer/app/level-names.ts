/** How well somebody speaks, or a practice asks them to, as a learner reads it. */
import type { EnglishLevel } from '@parley/domain';

export const LEVEL_NAMES: Record<EnglishLevel, string> = {
  beginner: 'Beginner',
  intermediate: 'Intermediate',
  advanced: 'Advanced',
};
