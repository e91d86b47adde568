/** Turns the bundled content into rows. */
import { entities, type EntityKey, entityKeyByTable, type Row, wireSchema } from '@parley/domain';

/** The tables that the content files fill, parents first. */
export const CATALOGUE_TABLES = [
  'industry',
  'ai_agent_profiles',
  'courses',
  'course_sections',
  'practices',
  'objectives',
  'practice_objectives',
  'course_section_practices',
  'blog_posts',
] as const;

export type WireCatalogue = Record<(typeof CATALOGUE_TABLES)[number], object[]> & {
  post_tags: Record<string, string[]>;
};

export interface StarterCatalogue {
  industry: Row<'industry'>[];
  aiAgentProfiles: Row<'aiAgentProfiles'>[];
  courses: Row<'courses'>[];
  courseSections: Row<'courseSections'>[];
  practices: Row<'practices'>[];
  objectives: Row<'objectives'>[];
  practiceObjectives: Row<'practiceObjectives'>[];
  courseSectionPractices: Row<'courseSectionPractices'>[];
  blogPosts: Row<'blogPosts'>[];
  /** By the id of their post. Only the public site shows them. */
  postTags: Readonly<Record<string, readonly string[]>>;
}

export function parseCatalogue(wire: WireCatalogue): StarterCatalogue {
  const rowsByEntity = CATALOGUE_TABLES.map((table) => {
    const key = entityKeyByTable.get(table) as EntityKey;
    const schema = wireSchema(entities[key]);
    return [key, wire[table].map((row) => schema.parse(row))];
  });
  return { ...Object.fromEntries(rowsByEntity), postTags: wire.post_tags };
}
