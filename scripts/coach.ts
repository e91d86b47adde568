/**
 * `npm run --silent coach -- --manifest FILE`: shows how the offline coach understands free answers. Each line of the file is
 * `{"id","practice","node","difficulty","said"}`; for each line, in order, it prints
 * `{"id","reply","kind","objectives","coach"}`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readScenes, readSharedActs } from '@parley/catalogue/scenes';
import { createUnderstanding, type SceneCoach } from '@parley/coach/understanding';
import { PRACTICE_DIFFICULTIES } from '@parley/domain';
import { z } from 'zod';

const AnswerRequest = z.object({
  id: z.union([z.string(), z.number()]),
  practice: z.string(),
  node: z.string(),
  difficulty: z.enum(PRACTICE_DIFFICULTIES).default('intermediate'),
  said: z.string(),
});

const { values } = parseArgs({ options: { manifest: { type: 'string' } } });
if (values.manifest === undefined) {
  process.stderr.write('Name the file: npm run --silent coach -- --manifest FILE\n');
  process.exit(2);
}

const contentDir = fileURLToPath(new URL('../packages/catalogue/content', import.meta.url));
const scenes = new Map(readScenes(contentDir).map((scene) => [scene.key, scene]));
const understanding = createUnderstanding(() => readSharedActs(contentDir));
const coaches = new Map<string, SceneCoach>();

function getCoach(practice: string): SceneCoach {
  const known = coaches.get(practice);
  if (known !== undefined) return known;
  const scene = scenes.get(practice);
  if (scene === undefined) throw new Error(`there is no practice "${practice}"`);
  const created = understanding.coachFor(scene.dialogue, {
    coachName: 'Grace',
    seed: 7,
    words: Object.entries(scene.file.words).map(([word, meaning]) => ({ word, meaning })),
  });
  if (created === null) throw new Error(`the practice "${practice}" has no intents`);
  coaches.set(practice, created);
  return created;
}

const lines = readFileSync(values.manifest, 'utf8').split('\n');
for (const [index, line] of lines.entries()) {
  if (line.trim() === '') continue;
  let asked: z.infer<typeof AnswerRequest>;
  try {
    asked = AnswerRequest.parse(JSON.parse(line));
  } catch (error) {
    process.stderr.write(
      `line ${index + 1} cannot be read: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
    continue;
  }
  const { id, practice, node, difficulty, said } = asked;
  try {
    const { reply, kind, objectives, coach } = getCoach(practice).answer({ node, difficulty, said });
    process.stdout.write(`${JSON.stringify({ id, reply, kind, objectives, coach })}\n`);
  } catch (error) {
    process.stderr.write(`line ${index + 1}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
