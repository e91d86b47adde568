/** The starter catalogue as rows, the same for the server's first start and for a device that was never online. */
import { entities, type EntityKey, entityKeyByTable, type Row, wireSchema } from '@parley/domain';
import bundle from './generated/starter-catalogue.json' with { type: 'json' };

/** Tables that the content files fill, parents first. */
export const CATALOGUE_TABLES = [
  'industry',
  'ai_agent_profiles',
  'courses',
  'course_sections',
  'practices',
  'objectives',
  'practice_objectives',
  'course_section_practices',
] as const;

export type WireCatalogue = Record<(typeof CATALOGUE_TABLES)[number], object[]>;

export interface StarterCatalogue {
  industry: Row<'industry'>[];
  aiAgentProfiles: Row<'aiAgentProfiles'>[];
  courses: Row<'courses'>[];
  courseSections: Row<'courseSections'>[];
  practices: Row<'practices'>[];
  objectives: Row<'objectives'>[];
  practiceObjectives: Row<'practiceObjectives'>[];
  courseSectionPractices: Row<'courseSectionPractices'>[];
}

/** Parsed anew at each call; about 20 ms. */
export function loadStarterCatalogue(): StarterCatalogue {
  return readCatalogue(bundle);
}

export function readCatalogue(wire: WireCatalogue): StarterCatalogue {
  const rowsByEntity = CATALOGUE_TABLES.map((table) => {
    const key = entityKeyByTable.get(table) as EntityKey;
    const schema = wireSchema(entities[key]);
    return [key, wire[table].map((row) => schema.parse(row))];
  });
  return Object.fromEntries(rowsByEntity);
}
