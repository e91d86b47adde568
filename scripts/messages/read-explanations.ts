/**
 * Reads the explanations of the starter catalogue's practices and of the drills, which are translated; what is
 * practised, and every practice title, stays in English.
 */
import { loadStarterCatalogue } from '@parley/catalogue';
import { DRILLS } from '@parley/catalogue/drills';
import { renameCoach } from '@parley/domain';

/** Each explanation once, with `{coach}` in place of the coach's name, because another coach may play the practice. */
export function readExplanations(): string[] {
  const { aiAgentProfiles, courses, courseSections, industry, objectives, practices } = loadStarterCatalogue();
  return [
    ...new Set([
      ...industry.map(({ name }) => name),
      ...practices.map(({ category }) => category),
      ...aiAgentProfiles.flatMap((coach) => [coach.communicationStyle, ...coach.skills, ...coach.characterTraits]),
      ...courses.map(({ description }) => description),
      ...courseSections.map(({ descriptions }) => descriptions),
      ...practices.flatMap(({ descriptionSummary, description, scenario, learnerRole, agentName }) =>
        [descriptionSummary, description, scenario, learnerRole].map((text) => renameCoach(text, agentName, '{coach}')),
      ),
      ...objectives.map(({ description }) => description),
      ...practices.flatMap(({ usefulWords }) => usefulWords.map(({ meaning }) => meaning)),
      // Minimal pairs are practice content, so they are not translated.
      ...DRILLS.filter(({ kind }) => kind !== 'pair').map(({ trains }) => trains),
    ]),
  ];
}
