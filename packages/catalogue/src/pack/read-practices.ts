/** Reads the practices of a pack, and the industries and coaches that they refer to. */
import { explain } from '@parley/domain';
import { stableId } from '../stable-id.ts';
import { CoachFile, IndustriesFile } from './pack-files.ts';
import { type PackReader, resolveReference } from './pack-reader.ts';
import { IntentsFile, PracticeFile, practiceFromFile, withIntents } from './practice-file.ts';

export function readIndustries({ files, parse, add }: PackReader): void {
  if (!files.has('industries.yaml')) return;
  const industries = parse('industries.yaml', IndustriesFile);
  for (const [key, industry] of Object.entries(industries?.value ?? {})) {
    const { id, name } = typeof industry === 'string' ? { id: stableId('industry', key), name: industry } : industry;
    add('industry', id, { file: 'industries.yaml', document: { name } });
  }
}

/** Returns the ids by file name. */
export function readCoaches({ keysIn, parse, add, picture }: PackReader): Map<string, string> {
  const coachIds = new Map<string, string>();
  for (const key of keysIn('coaches')) {
    const file = `coaches/${key}.yaml`;
    const parsed = parse(file, CoachFile);
    if (parsed === null) continue;
    const { id = stableId('coach', key), avatar, ...coach } = parsed.value;
    coachIds.set(key, id);
    const image = picture(file, { folder: 'avatars', named: avatar, fallback: key });
    add('coach', id, { file, document: { ...coach, avatar: image } });
  }
  return coachIds;
}

/** Returns the ids by file name. */
export function readPractices(reader: PackReader, coachIds: ReadonlyMap<string, string>): Map<string, string> {
  const { keysIn, parse, report, add, picture } = reader;
  const practiceIds = new Map<string, string>();
  const scenes = new Set(keysIn('scenes'));
  for (const key of new Set([...keysIn('practices'), ...scenes])) {
    const file = scenes.has(key) ? `scenes/${key}.yaml` : `practices/${key}.yaml`;
    const parsed = parse(file, PracticeFile);
    if (parsed === null) continue;
    const { lineOf } = parsed;
    const value = scenes.has(key) ? addIntents(reader, parsed.value, key) : parsed.value;
    const { id = stableId('practice', key) } = value;
    practiceIds.set(key, id);
    const document = practiceFromFile(value, {
      coachId: (coach) => {
        const found = resolveReference(coachIds, coach);
        if (found === null) report(file, explain('reference.coach_unknown', { name: coach }), lineOf(['coach']));
        return found;
      },
      objectiveId: (objective) => stableId('objective', key, objective),
      cover: picture(file, {
        folder: 'covers',
        named: value.cover,
        fallback: value.category.toLowerCase().replaceAll(' ', '-'),
      }),
    });
    add('practice', id, { file, document });
  }
  return practiceIds;
}

/** A practice may be in two files: the scene, and what a learner may mean in each step. */
function addIntents({ files, parse, report }: PackReader, scene: PracticeFile, key: string): PracticeFile {
  const file = `intents/${key}.yaml`;
  if (!files.has(file)) return scene;
  const parsed = parse(file, IntentsFile);
  if (parsed === null) return scene;
  for (const node of Object.keys(parsed.value.nodes))
    if (scene.nodes?.[node] === undefined)
      report(file, explain('reference.step_unknown', { name: node }), parsed.lineOf(['nodes', node]));
  return withIntents(scene, parsed.value);
}
