/** Reads the catalogue ids that rows of a learner may refer to. */
import { loadStarterCatalogue } from '../../../../packages/catalogue/src/index.ts';

export interface CatalogueIds {
  practiceIds: string[];
  coachIds: string[];
  courseIds: string[];
  industryIds: string[];
  /** A practice that can be held, with replies to say in it. */
  dialogue: { practiceId: string; lines: string[] };
}

export function readCatalogueIds(): CatalogueIds {
  const { practices, aiAgentProfiles, courses, industry } = loadStarterCatalogue();
  const guidedPractice = practices.find(({ dialogue, availability }) => dialogue !== null && availability === 'ready');
  if (guidedPractice === undefined || guidedPractice.dialogue === null)
    throw new Error('the catalogue has no dialogue');
  return {
    practiceIds: practices.map(({ practiceId }) => practiceId),
    coachIds: aiAgentProfiles.map(({ agentId }) => agentId),
    courseIds: courses.map(({ courseId }) => courseId),
    industryIds: industry.map(({ id }) => id),
    dialogue: {
      practiceId: guidedPractice.practiceId,
      lines: guidedPractice.dialogue.nodes.slice(0, 3).flatMap(({ replies }) => replies.easy[0]?.text ?? []),
    },
  };
}
