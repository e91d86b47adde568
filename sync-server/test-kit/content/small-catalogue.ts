/**
 * A small part of the starter catalogue: one course, with four of its practices. The whole catalogue is 3 MB, and each
 * device that a test registers pulls it.
 */
import type { StarterCatalogue } from '@parley/catalogue';
import { readStarterCatalogue } from '@parley/catalogue/file';

const PRACTICES = 4;

let small: StarterCatalogue | null = null;

export function smallCatalogue(): StarterCatalogue {
  small ??= reduce(readStarterCatalogue());
  return small;
}

function reduce(whole: StarterCatalogue): StarterCatalogue {
  const courses = whole.courses.slice(0, 1);
  const courseSections = whole.courseSections.filter(({ courseId }) => courseId === courses[0]?.courseId);
  const sectionIds = new Set(courseSections.map(({ courseSectionId }) => courseSectionId));
  const placed = whole.courseSectionPractices.filter(({ courseSectionId }) => sectionIds.has(courseSectionId));
  const courseSectionPractices = placed.slice(0, PRACTICES);
  const practiceIds = new Set(courseSectionPractices.map(({ practiceId }) => practiceId));
  const practiceObjectives = whole.practiceObjectives.filter(({ practiceId }) => practiceIds.has(practiceId));
  const objectiveIds = new Set(practiceObjectives.map(({ objectiveId }) => objectiveId));
  return {
    ...whole,
    practices: whole.practices.filter(({ practiceId }) => practiceIds.has(practiceId)),
    practiceObjectives,
    objectives: whole.objectives.filter(({ objectiveId }) => objectiveIds.has(objectiveId)),
    courseSectionPractices,
    courseSections,
    courses,
  };
}
