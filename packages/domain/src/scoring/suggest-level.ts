/** Suggests a level of English from a minute of reading aloud. The learner is free to ignore it. */
import type { Assessment } from './assessment.ts';
import type { EnglishLevel } from '../enumerations.ts';

/** A reader may stop early: what was read is judged, unless it is too little for a judgement. */
const MIN_COMPLETENESS = 30;
const ADVANCED_THRESHOLDS = { pron: 80, fluency: 75 } as const;
const INTERMEDIATE_THRESHOLDS = { pron: 60, fluency: 45 } as const;

/**
 * Returns null if the audio could not be scored or was too short. The thresholds are our own choice, not from a study.
 */
export function suggestLevel({ unusable, pron, fluency, completeness }: Assessment): EnglishLevel | null {
  if (unusable !== undefined || pron === null || fluency === null) return null;
  if (completeness !== null && completeness < MIN_COMPLETENESS) return null;
  const reaches = (bounds: { pron: number; fluency: number }): boolean =>
    pron >= bounds.pron && fluency >= bounds.fluency;
  if (reaches(ADVANCED_THRESHOLDS)) return 'advanced';
  return reaches(INTERMEDIATE_THRESHOLDS) ? 'intermediate' : 'beginner';
}
