/** Measures the disk size of the scorer and the memory that it adds to a process. */
import { readdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MODELS = fileURLToPath(new URL('../../../packages/speech/models/', import.meta.url));
const MEBIBYTE = 1_048_576;

export async function modelMebibytes(): Promise<number> {
  const names = (await readdir(MODELS)).filter((name) => !name.endsWith('.md'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(MODELS, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / MEBIBYTE;
}

const PROBE = `
  import { createScorer } from '@parley/speech';
  const noise = Float32Array.from({ length: 160_000 }, (_, n) => (n % 8_000 < 5_000 ? 0.2 * Math.sin(n * (0.05 + 0.02 * Math.sin(n / 900))) : 0.001 * Math.sin(n * 1.7)));
  globalThis.gc();
  const before = process.memoryUsage().rss;
  const scorer = await createScorer();
  for (let round = 0; round < 5; round += 1) await scorer.assess({ pcm: noise, text: 'we will deliver the new machines on tuesday' });
  globalThis.gc();
  console.log(process.memoryUsage().rss - before);
`;

/** Returns the resident memory that five ten-second assessments add to the process, MiB. */
export async function scorerMemoryMebibytes(): Promise<number> {
  const { stdout } = await run(process.execPath, ['--expose-gc', '--input-type=module', '--eval', PROBE], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
  return Number(stdout) / MEBIBYTE;
}
