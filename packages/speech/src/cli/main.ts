/** `npm run --silent score`: one JSON line an utterance on stdout, nothing else. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createScorer, type Scorer } from '../scorer.ts';
import { parseWav } from '../wav/parse-wav.ts';

const USAGE = `Usage:
  npm run --silent score -- --text "we call it bear" file.wav
  npm run --silent score -- --manifest utterances.jsonl     lines {"id","audio","text"}
Options: --threads N   --pretty`;

const ManifestLine = z.object({ id: z.string(), audio: z.string().min(1), text: z.string() });

interface ScoringJob {
  id: string;
  file: string;
  text: string;
}

type JobOrFailure = ScoringJob | { id: string; error: { code: string; message: string } };

const parsed = ((): ReturnType<typeof readArguments> | null => {
  try {
    return readArguments();
  } catch {
    return null;
  }
})();

function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: {
      manifest: { type: 'string' },
      text: { type: 'string' },
      threads: { type: 'string', default: '1' },
      pretty: { type: 'boolean', default: false },
    },
  });
}

const threads = Number(parsed?.values.threads);
const asksForFile = parsed?.values.text !== undefined && parsed.positionals.length === 1;
if (
  parsed === null ||
  (!asksForFile && parsed.values.manifest === undefined) ||
  !Number.isInteger(threads) ||
  threads < 1
) {
  console.error(USAGE);
  process.exit(2);
}

const { values, positionals } = parsed;
let failures = 0;
const scorer = await createScorer({ threads });
for await (const job of jobs()) {
  const line = 'error' in job ? job : await scoreJob(scorer, job);
  if ('error' in line) failures += 1;
  process.stdout.write(`${JSON.stringify(line, null, values.pretty ? 2 : 0)}\n`);
}
await scorer.close();
process.exitCode = failures > 0 ? 1 : 0;

async function* jobs(): AsyncGenerator<JobOrFailure> {
  if (values.manifest === undefined) {
    const file = positionals[0] ?? '';
    yield { id: basename(file, extname(file)), file: resolve(file), text: values.text ?? '' };
    return;
  }
  const folder = dirname(resolve(values.manifest));
  const content = await readFile(values.manifest, 'utf8').catch((error: unknown) => {
    console.error(`The manifest ${values.manifest} cannot be read: ${messageOf(error)}`);
    process.exit(2);
  });
  for (const [index, line] of content.split('\n').entries()) {
    if (line.trim() === '') continue;
    const entry = parseManifestLine(line);
    if (entry === null)
      yield {
        id: `line-${index + 1}`,
        error: { code: 'manifest.invalid', message: `Line ${index + 1} needs the texts "id", "audio" and "text".` },
      };
    else yield { id: entry.id, file: resolve(folder, entry.audio), text: entry.text };
  }
}

function parseManifestLine(line: string): z.infer<typeof ManifestLine> | null {
  try {
    return ManifestLine.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

async function scoreJob(ready: Scorer, job: ScoringJob): Promise<object> {
  const bytes = await readFile(job.file).catch((error: unknown) => messageOf(error));
  if (typeof bytes === 'string') return { id: job.id, error: { code: 'audio.unreadable', message: bytes } };
  const wav = parseWav(bytes);
  if (!wav.ok) return { id: job.id, error: wav.error };
  return { id: job.id, ...(await ready.assess({ pcm: wav.value.pcm, text: job.text })) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
