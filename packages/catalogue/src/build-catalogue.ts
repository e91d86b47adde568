/** Turns the content files into rows with stable ids, or says which file is wrong and where. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Dialogue, PRACTICE_DIFFICULTIES } from '@parley/domain';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { CoachFile, CourseFile, IndustriesFile, PracticeFile, readMarkedSentence } from './content-files.ts';
import type { WireCatalogue } from './starter-catalogue.ts';

/** Rows of the starter catalogue bear this date, so that a rebuilt bundle differs only where its content does. */
const WRITTEN_AT = '2026-11-01T00:00:00.000Z';
const NAMESPACE = 'parley.catalogue';
const SECONDS_A_MINUTE = 60;

/** The same key gives the same id for ever: an RFC 9562 version 5 UUID of the key. */
export function stableId(...key: readonly string[]): string {
  const hash = createHash('sha1')
    .update([NAMESPACE, ...key].join('/'))
    .digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.subarray(0, 16).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const sync = { createdAt: WRITTEN_AT, updatedAt: WRITTEN_AT, syncVersion: 0, deletedAt: null };

export async function buildCatalogue(contentDir: string): Promise<WireCatalogue> {
  const industries = await readContent(join(contentDir, 'industries.yaml'), IndustriesFile);
  const coaches = await readFolder(join(contentDir, 'coaches'), CoachFile);
  const practices = await readFolder(join(contentDir, 'practices'), PracticeFile);
  const courses = await readFolder(join(contentDir, 'courses'), CourseFile);
  const image = (folder: string, key: string): Promise<string> => readImage(join(contentDir, folder, `${key}.svg`));

  const rows: WireCatalogue = {
    industry: Object.entries(industries).map(([key, name]) => ({
      id: stableId('industry', key),
      name,
      updated: WRITTEN_AT,
      ...sync,
    })),
    ai_agent_profiles: [],
    courses: [],
    course_sections: [],
    practices: [],
    objectives: [],
    practice_objectives: [],
    course_section_practices: [],
  };
  for (const [key, coach] of coaches) {
    rows.ai_agent_profiles.push({
      agentId: stableId('coach', key),
      ...coach,
      avatarUrl: await image('avatars', key),
      ...sync,
    });
  }
  for (const [key, practice] of practices) {
    const coach = coaches.get(practice.coach);
    if (coach === undefined) throw new Error(`practices/${key}.yaml: there is no coach "${practice.coach}"`);
    rows.practices.push({
      practiceId: stableId('practice', key),
      availability: 'ready',
      description: practice.description,
      scenario: practice.scenario,
      duration: practice.minutes * SECONDS_A_MINUTE,
      title: practice.title,
      coverImageUrl: await image('covers', practice.category.toLowerCase().replaceAll(' ', '-')),
      agentName: coach.name,
      descriptionSummary: practice.summary,
      category: practice.category,
      agentImage: await image('avatars', practice.coach),
      level: practice.level,
      agentId: stableId('coach', practice.coach),
      learnerRole: practice.role,
      usefulWords: Object.entries(practice.words).map(([word, meaning]) => ({ word, meaning })),
      dialogue: dialogueOf(key, practice),
      ...sync,
    });
    Object.entries(practice.objectives).forEach(([objective, description], index) => {
      const objectiveId = stableId('objective', key, objective);
      rows.objectives.push({ objectiveId, description, key: objective, ...sync });
      rows.practice_objectives.push({
        practiceObjectiveId: stableId('practice-objective', key, objective),
        practiceId: stableId('practice', key),
        objectiveId,
        position: index + 1,
        ...sync,
      });
    });
  }
  for (const [key, course] of [...courses].toSorted(([, a], [, b]) => a.order - b.order)) {
    rows.courses.push({
      courseId: stableId('course', key),
      title: course.title,
      description: course.description,
      status: course.status,
      ...sync,
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
        ...sync,
      });
      section.practices.forEach((practice, at) => {
        if (!practices.has(practice)) throw new Error(`courses/${key}.yaml: there is no practice "${practice}"`);
        rows.course_section_practices.push({
          courseSectionPracticeId: stableId('section-practice', key, String(index + 1), practice),
          courseSectionId,
          practiceId: stableId('practice', practice),
          position: at + 1,
          ...sync,
        });
      });
    });
  }
  return rows;
}

function dialogueOf(key: string, practice: PracticeFile): z.input<typeof Dialogue> {
  const nodes = Object.entries(practice.nodes).map(([node, { say, rephrase, replies }]) => ({
    key: node,
    say: { easy: say[0], intermediate: say[1], hard: say[2] },
    rephrase,
    replies: Object.fromEntries(
      PRACTICE_DIFFICULTIES.map((difficulty) => [
        difficulty,
        replies.map((reply) => ({ ...readMarkedSentence(reply[difficulty]), next: reply.to, keyword: reply.hint })),
      ]),
    ),
  }));
  const dialogue = Dialogue.safeParse({ start: practice.start, nodes });
  if (!dialogue.success)
    throw new Error(`practices/${key}.yaml: ${dialogue.error.issues.map(({ message }) => message).join('; ')}`);
  const unknown = dialogue.data.nodes
    .flatMap((node) => PRACTICE_DIFFICULTIES.flatMap((difficulty) => node.replies[difficulty]))
    .flatMap((reply) => reply.proves)
    .filter((proof) => !(proof.objective in practice.objectives));
  if (unknown[0] !== undefined)
    throw new Error(`practices/${key}.yaml: there is no objective "${unknown[0].objective}"`);
  return dialogue.data;
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

async function readImage(file: string): Promise<string> {
  const svg = (await readFile(file, 'utf8')).trim();
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg).replaceAll('%20', ' ').replaceAll('%3D', '=').replaceAll('%22', "'").replaceAll('%2F', '/')}`;
}
