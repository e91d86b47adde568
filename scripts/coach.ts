/**
 * `npm run --silent coach -- --manifest FILE`: what the offline coach makes of free answers. Each line of the file is
 * `{"id","practice","node","difficulty","said"}`; for each a line is printed, in order:
 * `{"id","reply","kind","objectives","coach"}`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readScenes, readSharedActs } from '@parley/catalogue/scenes';
import { createSceneCoach, type SceneCoach, trainWorkTalk } from '@parley/coach/understanding';
import { PRACTICE_DIFFICULTIES } from '@parley/domain';
import { z } from 'zod';

const Asked = z.object({
  id: z.union([z.string(), z.number()]),
  practice: z.string(),
  node: z.string(),
  difficulty: z.enum(PRACTICE_DIFFICULTIES).default('intermediate'),
  said: z.string(),
});

const { values } = parseArgs({ options: { manifest: { type: 'string' } } });
if (values.manifest === undefined) {
  process.stderr.write('Say which file: npm run --silent coach -- --manifest FILE\n');
  process.exit(2);
}

const contentDir = fileURLToPath(new URL('../packages/catalogue/content', import.meta.url));
const scenes = new Map(readScenes(contentDir).map((scene) => [scene.key, scene]));
const { asks, off, other_languages: otherLanguages } = readSharedActs(contentDir);
const shared = { asks, off };
const answers = [...scenes.values()].flatMap(({ dialogue }) =>
  dialogue.nodes.flatMap(({ understanding }) =>
    understanding === undefined
      ? []
      : [
          ...understanding.unforeseen,
          ...understanding.intents.flatMap(({ examples }) => examples.filter((_, index) => index % 2 === 0)),
        ],
  ),
);
const workTalk = trainWorkTalk(
  answers,
  Object.values(asks).flatMap(({ examples }) => examples),
  [...off, ...otherLanguages],
);
const coaches = new Map<string, SceneCoach>();

function coachOf(practice: string): SceneCoach {
  const known = coaches.get(practice);
  if (known !== undefined) return known;
  const scene = scenes.get(practice);
  if (scene === undefined) throw new Error(`there is no practice "${practice}"`);
  const made = createSceneCoach(scene.dialogue, { shared, workTalk, coachName: 'Grace', seed: 7 });
  coaches.set(practice, made);
  return made;
}

const lines = readFileSync(values.manifest, 'utf8').split('\n');
for (const [index, line] of lines.entries()) {
  if (line.trim() === '') continue;
  let asked: z.infer<typeof Asked>;
  try {
    asked = Asked.parse(JSON.parse(line));
  } catch (error) {
    process.stderr.write(
      `line ${index + 1} cannot be read: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
    continue;
  }
  const { id, practice, node, difficulty, said } = asked;
  try {
    const { reply, kind, objectives, coach } = coachOf(practice).answer({ node, difficulty, said });
    process.stdout.write(`${JSON.stringify({ id, reply, kind, objectives, coach })}\n`);
  } catch (error) {
    process.stderr.write(`line ${index + 1}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
