/**
 * `npm run --silent coach -- --manifest FILE`: shows how the offline coach understands free answers. Each line of the file is
 * `{"id","practice","node","difficulty","said"}`; for each line, in order, it prints
 * `{"id","reply","kind","objectives","coach"}`. A line that cannot be answered is explained on stderr, gets an empty answer so that the
 * others keep their places, and makes the command fail in the end.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readScenes, readSharedActs } from '@parley/catalogue/scenes';
import { createUnderstanding, type SceneAnswer, type SceneCoach } from '@parley/coach/understanding';
import { PRACTICE_DIFFICULTIES } from '@parley/domain';
import { z } from 'zod';

const Id = z.union([z.string(), z.number()]);
const AnswerRequest = z.object({
  id: Id,
  practice: z.string(),
  node: z.string(),
  difficulty: z.enum(PRACTICE_DIFFICULTIES).default('intermediate'),
  said: z.string(),
});

const WithId = z.object({ id: Id });

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function readManifest(): string[] {
  const { values } = parseArgs({ options: { manifest: { type: 'string' } }, strict: false });
  const file = values['manifest'];
  if (typeof file !== 'string') fail('Name the file: npm run --silent coach -- --manifest FILE');
  try {
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split('\n');
  } catch (error) {
    return fail(`The file cannot be read: ${messageOf(error)}`);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : String(error);

const contentDir = fileURLToPath(new URL('../packages/catalogue/content', import.meta.url));
const scenes = new Map(readScenes(contentDir).map((scene) => [scene.key, scene]));
const understanding = createUnderstanding(() => readSharedActs(contentDir));

function createCoach(practice: string): SceneCoach {
  const scene = scenes.get(practice);
  if (scene === undefined) throw new Error(`there is no practice "${practice}"`);
  const coach = understanding.coachFor(scene.dialogue, {
    coachName: 'Grace',
    seed: 7,
    words: Object.entries(scene.file.words).map(([word, meaning]) => ({ word, meaning })),
  });
  if (coach === null) throw new Error(`the practice "${practice}" has no intents`);
  return coach;
}

interface Line {
  number: number;
  id: z.infer<typeof Id> | null;
  request: z.infer<typeof AnswerRequest> | null;
}

function report(number: number, error: unknown): void {
  process.stderr.write(`line ${number}: ${messageOf(error)}\n`);
  process.exitCode = 1;
}

function parseLine(text: string, number: number): Line {
  let id: Line['id'] = null;
  try {
    const value: unknown = JSON.parse(text);
    id = WithId.safeParse(value).data?.id ?? null;
    return { number, id, request: AnswerRequest.parse(value) };
  } catch (error) {
    report(number, error);
    return { number, id, request: null };
  }
}

const lines = readManifest().flatMap((text, index) => (text.trim() === '' ? [] : [parseLine(text, index + 1)]));
const answers = new Map<Line, Omit<SceneAnswer, 'proofs' | 'hasEnded' | 'memory'>>();
// One practice after another, so that only one practice's models are in memory.
for (const [practice, group] of Map.groupBy(lines, ({ request }) => request?.practice)) {
  let coach: SceneCoach | null = null;
  for (const line of group) {
    if (practice === undefined || line.request === null) continue;
    const { node, difficulty, said } = line.request;
    try {
      coach ??= createCoach(practice);
      answers.set(line, coach.answer({ node, difficulty, said }));
    } catch (error) {
      report(line.number, error);
    }
  }
}
for (const line of lines) {
  const { reply, kind, objectives, coach } = answers.get(line) ?? {
    reply: null,
    kind: 'off',
    objectives: [],
    coach: '',
  };
  process.stdout.write(`${JSON.stringify({ id: line.id, reply, kind, objectives, coach })}\n`);
}
