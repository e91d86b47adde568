/** Which level of English a minute of reading aloud suggests: a suggestion, which the learner takes or leaves. */
import type { Assessment } from './assessment.ts';
import type { EnglishLevel } from './enumerations.ts';

/** Whoever leaves out a third of a text could not read it. */
const READ_AT_LEAST = 67;
const ADVANCED_FROM = { pron: 80, fluency: 75 } as const;
const INTERMEDIATE_FROM = { pron: 60, fluency: 45 } as const;

/** Null where the sound could not be scored, or too little of it. Bounds are ours, not from a study: nobody is forced by them. */
export function suggestLevel({ unusable, pron, fluency, completeness }: Assessment): EnglishLevel | null {
  if (unusable !== undefined || pron === null || fluency === null) return null;
  const hasRead = completeness === null || completeness >= READ_AT_LEAST;
  const reaches = (bounds: { pron: number; fluency: number }): boolean =>
    hasRead && pron >= bounds.pron && fluency >= bounds.fluency;
  if (reaches(ADVANCED_FROM)) return 'advanced';
  return reaches(INTERMEDIATE_FROM) ? 'intermediate' : 'beginner';
}
