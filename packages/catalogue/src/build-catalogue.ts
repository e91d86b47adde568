/** Converts the content files to rows with stable ids. Errors name the file and the place. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Dialogue, PRACTICE_DIFFICULTIES } from '@parley/domain';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { CoachFile, CourseFile, IndustriesFile } from './content-schemas.ts';
import { svgAddress } from './pack/images.ts';
import { readScenes, type Scene } from './scenes/read-scenes.ts';
import { readPostFiles } from './read-posts.ts';
import { stableId } from './stable-id.ts';
import type { WireCatalogue } from './parse-catalogue.ts';

/** A fixed date, so that a rebuilt bundle only differs where its content changed. */
const WRITTEN_AT = '2026-11-01T00:00:00.000Z';
const SECONDS_A_MINUTE = 60;

const syncFields = { createdAt: WRITTEN_AT, updatedAt: WRITTEN_AT, syncVersion: 0, deletedAt: null };

export async function buildCatalogue(contentDir: string): Promise<WireCatalogue> {
  const industries = await readContent(join(contentDir, 'industries.yaml'), IndustriesFile);
  const coaches = await readFolder(join(contentDir, 'coaches'), CoachFile);
  const scenes = new Map(readScenes(contentDir).map((scene) => [scene.key, scene]));
  const courses = await readFolder(join(contentDir, 'courses'), CourseFile);
  const readImageOf = (folder: string, key: string): Promise<string> =>
    readImage(join(contentDir, folder, `${key}.svg`));

  const rows: WireCatalogue = {
    industry: Object.entries(industries).map(([key, name]) => ({
      id: stableId('industry', key),
      name,
      updated: WRITTEN_AT,
      ...syncFields,
    })),
    ai_agent_profiles: [],
    courses: [],
    course_sections: [],
    practices: [],
    objectives: [],
    practice_objectives: [],
    course_section_practices: [],
    blog_posts: [],
    post_tags: {},
  };
  for (const { slug, head, content } of await readPostFiles(join(contentDir, 'posts'))) {
    rows.blog_posts.push({
      id: stableId('post', slug),
      title: head.title,
      slug,
      content,
      excerpt: head.excerpt,
      coverImage: await readImageOf('covers', head.cover.replace(/\.svg$/, '')),
      publishedAt: head.publishAt,
      ...syncFields,
    });
    rows.post_tags[stableId('post', slug)] = head.tags;
  }
  for (const [key, coach] of coaches) {
    rows.ai_agent_profiles.push({
      agentId: stableId('coach', key),
      ...coach,
      avatarUrl: await readImageOf('avatars', key),
      ...syncFields,
    });
  }
  for (const [key, scene] of scenes) {
    const practice = scene.file;
    const coach = coaches.get(practice.coach);
    if (coach === undefined) throw new Error(`scenes/${key}.yaml: there is no coach "${practice.coach}"`);
    const withCoachName = (text: string): string => text.replaceAll('{coach}', coach.name);
    rows.practices.push({
      practiceId: stableId('practice', key),
      availability: 'ready',
      description: withCoachName(practice.description),
      scenario: withCoachName(practice.scenario),
      duration: practice.minutes * SECONDS_A_MINUTE,
      title: practice.title,
      coverImageUrl: await readImageOf('covers', practice.category.toLowerCase().replaceAll(' ', '-')),
      agentName: coach.name,
      descriptionSummary: withCoachName(practice.summary),
      category: practice.category,
      agentImage: await readImageOf('avatars', practice.coach),
      level: practice.level,
      agentId: stableId('coach', practice.coach),
      learnerRole: withCoachName(practice.role),
      usefulWords: Object.entries(practice.words).map(([word, meaning]) => ({ word, meaning })),
      dialogue: checkDialogue(scene),
      ...syncFields,
    });
    Object.entries(practice.objectives).forEach(([objective, description], index) => {
      const objectiveId = stableId('objective', key, objective);
      rows.objectives.push({ objectiveId, description, key: objective, ...syncFields });
      rows.practice_objectives.push({
        practiceObjectiveId: stableId('practice-objective', key, objective),
        practiceId: stableId('practice', key),
        objectiveId,
        position: index + 1,
        ...syncFields,
      });
    });
  }
  for (const [key, course] of [...courses].toSorted(([, a], [, b]) => a.order - b.order)) {
    rows.courses.push({
      courseId: stableId('course', key),
      title: course.title,
      description: course.description,
      status: course.status,
      ...syncFields,
    });
    course.sections.forEach((section, index) => {
      const courseSectionId = stableId('section', key, String(index + 1));
      const { title, description: descriptions } = section;
      rows.course_sections.push({
        courseSectionId,
        title,
        descriptions,
        order: index + 1,
        courseId: stableId('course', key),
        ...syncFields,
      });
      section.practices.forEach((practice, at) => {
        if (!scenes.has(practice)) throw new Error(`courses/${key}.yaml: there is no practice "${practice}"`);
        rows.course_section_practices.push({
          courseSectionPracticeId: stableId('section-practice', key, String(index + 1), practice),
          courseSectionId,
          practiceId: stableId('practice', practice),
          position: at + 1,
          ...syncFields,
        });
      });
    });
  }
  return rows;
}

function checkDialogue({ key, dialogue, objectives }: Scene): z.input<typeof Dialogue> {
  const checked = Dialogue.safeParse(dialogue);
  if (!checked.success)
    throw new Error(`scenes/${key}.yaml: ${checked.error.issues.map(({ message }) => message).join('; ')}`);
  const named = checked.data.nodes.flatMap(({ replies, understanding }) => [
    ...PRACTICE_DIFFICULTIES.flatMap((difficulty) => replies[difficulty])
      .flatMap(({ proves }) => proves)
      .map(({ objective }) => objective),
    ...(understanding?.bridgeProves ?? []),
    ...(understanding?.intents.flatMap(({ proves }) => proves) ?? []),
  ]);
  const unknown = named.find((objective) => !objectives.includes(objective));
  if (unknown !== undefined) throw new Error(`scenes/${key}.yaml: there is no objective "${unknown}"`);
  return checked.data;
}

async function readFolder<Schema extends z.ZodType>(
  folder: string,
  schema: Schema,
): Promise<Map<string, z.infer<Schema>>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).toSorted();
  const entries = await Promise.all(
    files.map(async (file) => [basename(file, '.yaml'), await readContent(join(folder, file), schema)] as const),
  );
  return new Map(entries);
}

async function readContent<Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.infer<Schema>> {
  const parsed = schema.safeParse(parseYaml(await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${file}:\n${z.prettifyError(parsed.error)}`);
}

const readImage = async (file: string): Promise<string> => svgAddress(await readFile(file, 'utf8'));
