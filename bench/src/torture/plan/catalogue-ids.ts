/** Rows of the catalogue that a learner's rows may name. */
import { loadStarterCatalogue } from '../../../../packages/catalogue/src/index.ts';

export interface CatalogueIds {
  practiceIds: string[];
  coachIds: string[];
  courseIds: string[];
  industryIds: string[];
  /** One that can be held, with something to say in it. */
  dialogue: { practiceId: string; lines: string[] };
}

export function catalogueIds(): CatalogueIds {
  const { practices, aiAgentProfiles, courses, industry } = loadStarterCatalogue();
  const spoken = practices.find(({ dialogue, availability }) => dialogue !== null && availability === 'ready');
  if (spoken === undefined || spoken.dialogue === null) throw new Error('the catalogue has no dialogue');
  return {
    practiceIds: practices.map(({ practiceId }) => practiceId),
    coachIds: aiAgentProfiles.map(({ agentId }) => agentId),
    courseIds: courses.map(({ courseId }) => courseId),
    industryIds: industry.map(({ id }) => id),
    dialogue: {
      practiceId: spoken.practiceId,
      lines: spoken.dialogue.nodes.slice(0, 3).flatMap(({ replies }) => replies.easy[0]?.text ?? []),
    },
  };
}
