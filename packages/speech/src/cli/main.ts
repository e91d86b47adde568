/** `npm run --silent score` prints one JSON line per utterance on stdout and nothing else. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createScorer, type Scorer } from '../scorer.ts';
import { parseWav } from '../wav/parse-wav.ts';

const USAGE = `Usage:
  npm run --silent score -- --text "we call it bear" file.wav
  npm run --silent score -- --manifest utterances.jsonl     lines {"id","audio","text"}
  npm run --silent score -- --transcribe file.wav           drafts what was said
  npm run --silent score -- --transcribe --manifest utterances.jsonl     lines {"id","audio"}
Options: --context FILE  a text per line that the draft may expect   --threads N   --pretty`;

const ManifestLine = z.object({
  id: z.string(),
  audio: z.string().min(1),
  text: z.string().optional(),
});
/** The app's longest turn. Time and memory grow with the square of the length. */
const MAX_SCORED_S = 180;
const SAMPLE_RATE_HZ = 16_000;

interface ScoringJob {
  id: string;
  file: string;
  /** Undefined to draft a transcript instead. */
  text: string | undefined;
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
      transcribe: { type: 'boolean', default: false },
      context: { type: 'string' },
      threads: { type: 'string', default: '1' },
      pretty: { type: 'boolean', default: false },
    },
  });
}

const threads = Number(parsed?.values.threads);
const isDraft = parsed?.values.transcribe === true;
const asksForFile = (isDraft || parsed?.values.text !== undefined) && parsed?.positionals.length === 1;
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
const context = values.context === undefined ? [] : linesOf(await readOrExit(values.context));
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
    yield { id: basename(file, extname(file)), file: resolve(file), text: values.text };
    return;
  }
  const folder = dirname(resolve(values.manifest));
  // Some editors begin a text with a byte order mark.
  const content = (await readOrExit(values.manifest)).replace(/^\uFEFF/, '');
  for (const [index, line] of content.split('\n').entries()) {
    if (line.trim() === '') continue;
    const entry = parseManifestLine(line);
    if (entry === null)
      yield {
        id: `line-${index + 1}`,
        error: {
          code: 'manifest.invalid',
          message: `Line ${index + 1} needs the texts ${isDraft ? '"id" and "audio"' : '"id", "audio" and "text"'}.`,
        },
      };
    else yield { id: entry.id, file: resolve(folder, entry.audio), text: entry.text };
  }
}

function parseManifestLine(line: string): z.infer<typeof ManifestLine> | null {
  try {
    const entry = ManifestLine.safeParse(JSON.parse(line)).data ?? null;
    return entry?.text === undefined && !isDraft ? null : entry;
  } catch {
    return null;
  }
}

async function scoreJob(ready: Scorer, job: ScoringJob): Promise<object> {
  const bytes = await readFile(job.file).catch((error: unknown) => messageOf(error));
  if (typeof bytes === 'string') return failed(job, 'audio.unreadable', bytes);
  const wav = parseWav(bytes);
  if (!wav.ok) return { id: job.id, error: wav.error };
  const { pcm, truncated } = wav.value;
  if (truncated)
    return failed(job, 'audio.truncated', 'The file ends before its sound does. Copy it again or record again.');
  if (isDraft || job.text === undefined) return { id: job.id, ...(await ready.transcribe({ pcm, texts: context })) };
  if (pcm.length > MAX_SCORED_S * SAMPLE_RATE_HZ)
    return failed(job, 'audio.too_long', `Only ${MAX_SCORED_S} seconds can be scored at once. Score the parts of it.`);
  return { id: job.id, ...(await ready.assess({ pcm, text: job.text })) };
}

function failed({ id }: ScoringJob, code: string, message: string): object {
  return { id, error: { code, message } };
}

async function readOrExit(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    console.error(`${file} cannot be read: ${messageOf(error)}`);
    process.exit(2);
  });
}

function linesOf(content: string): string[] {
  return content.split('\n').filter((line) => line.trim() !== '');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
