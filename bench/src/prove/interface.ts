/** Promises about the interface: languages, accessibility, contrast, size and memory. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { runTests } from '../measure/run-tests.ts';
import { measureWarmStart } from '../measure/warm-start.ts';
import { atMost, type Outcome, type ProductPromise } from './promise.ts';

const ROOT_DIR = fileURLToPath(new URL('../../..', import.meta.url));
const ASSETS_DIR = join(ROOT_DIR, 'desktop/out/renderer/assets');
/** A process is idle once its first work is done: on its first start, the server creates and fills a database. */
const IDLE_MS = 60_000;
const LANGUAGES = ['ar', 'de', 'es', 'ja', 'pt-BR', 'zh-Hans'] as const;
/** The modes by the names that the journey uses. */
const AXE_MODES = ['light', 'dark', 'forced colours', 'Arabic, right to left'] as const;
const INTERFACE_JOURNEY = ['--config', 'desktop/e2e/vitest.config.ts', 'interface-journey'] as const;

const testsPromise = (claim: string, args: readonly string[]): ProductPromise => ({
  claim,
  bar: 'all tests',
  measure: async () => {
    const { passed, failed } = await runTests([...args]);
    return { figure: `${passed} of ${passed + failed} tests`, holds: failed === 0 && passed > 0 };
  },
});

const runScript = async (args: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT_DIR }).catch(
    (error: unknown) => error as { stdout: string },
  );
  return stdout.trim();
};

/** The problems of one language that `npm run messages` lists, in the app's catalogue and in the panel's. */
async function measureCatalogue(language: string): Promise<Outcome> {
  const lines = (await runScript(['scripts/messages/main.ts'])).split('\n');
  const messages = Number(/^\d+/.exec(lines.at(-1) ?? '')?.[0]);
  const problems = lines.filter((line) => line.startsWith(`${language}: `) || line.startsWith(`panel, ${language}: `));
  return {
    figure: `${problems.length} problems in ${messages} messages`,
    holds: problems.length === 0 && messages > 0,
  };
}

const PRINT_LITERALS =
  "const { findLiterals } = await import('./scripts/messages/check-catalogues.ts'); console.log((await findLiterals('.')).length)";

async function measureLiterals(): Promise<Outcome> {
  return atMost(Number(await runScript(['--input-type=module', '--eval', PRINT_LITERALS])), 0, ' files or texts');
}

/** The sizes of these scripts and of what they import statically. */
async function loadedScripts(isWanted: (name: string) => boolean): Promise<Set<string>> {
  const names = await readdir(ASSETS_DIR);
  const loaded = new Set<string>();
  const load = async (name: string): Promise<void> => {
    if (loaded.has(name) || !names.includes(name)) return;
    loaded.add(name);
    const code = await readFile(join(ASSETS_DIR, name), 'utf8');
    for (const [, imported = ''] of code.matchAll(/(?:from|import)\s?["']\.\/([^"']+\.js)["']/g)) await load(imported);
  };
  for (const name of names.filter(isWanted)) await load(name);
  return loaded;
}

async function gzippedKilobytes(names: Iterable<string>): Promise<number> {
  let bytes = 0;
  for (const name of names) bytes += gzipSync(await readFile(join(ASSETS_DIR, name))).length;
  return Math.round(bytes / 1000);
}

/**
 * The frame is painted with the entry and the app; the contents of Today arrive in parallel with its data and are
 * counted separately. A language other than English adds its messages, which are loaded before the app.
 */
async function measureFirstPaint(): Promise<Outcome> {
  const first = await loadedScripts((name) => /^(index|app)-.*\.js$/.test(name));
  const content = await loadedScripts((name) => /^today-content-.*\.js$/.test(name));
  if (content.size === 0) throw new Error('The content of Today has no script of its own any more.');
  const { figure, holds } = atMost(await gzippedKilobytes(first), 150, ' kB');
  const later = await gzippedKilobytes([...content].filter((name) => !first.has(name)));
  return { figure: `${figure}, then ${later} kB for what Today contains`, holds };
}

/** English has no catalogue to load, so learners with another language wait for one more file. */
async function measureLargestFirstPaint(): Promise<Outcome> {
  const first = await loadedScripts((name) => /^(index|app)-.*\.js$/.test(name));
  const names = await readdir(ASSETS_DIR);
  const catalogues = await Promise.all(
    LANGUAGES.map(async (language) => {
      const scripts = names.filter((name) => name.startsWith(`${language}-`) && name.endsWith('.js'));
      return { language, scripts, size: await gzippedKilobytes(scripts) };
    }),
  );
  const [largest] = catalogues.toSorted((a, b) => b.size - a.size);
  if (largest === undefined || largest.size === 0)
    throw new Error('The catalogues have no scripts of their own any more.');
  const { figure, holds } = atMost(await gzippedKilobytes([...first, ...largest.scripts]), 200, ' kB');
  return { figure: `${figure} in ${largest.language}, whose messages are ${largest.size} kB`, holds };
}

/** The resident memory of a process that has been idle for a while. */
async function measureIdleMemory(start: (folder: string) => ChildProcess, barMb: number): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-idle-'));
  const child = start(folder);
  try {
    await wait(IDLE_MS);
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
    return atMost(Math.round(kilobytes / 1024), barMb, ' MB');
  } finally {
    child.kill('SIGTERM');
    await wait(2_000);
    await rm(folder, { recursive: true, force: true });
  }
}

/** As `npm start` does. */
const COMPILE_CACHE = new URL('../../../scripts/compile-cache.js', import.meta.url).href;

const startNode = (args: readonly string[], env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', COMPILE_CACHE, ...args], {
    cwd: ROOT_DIR,
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });

export const promises: readonly ProductPromise[] = [
  ...LANGUAGES.map((language) => ({
    claim: `Every message is translated with the same placeholders and the words of the glossary: ${language}`,
    bar: '0 problems',
    measure: () => measureCatalogue(language),
  })),
  {
    claim: 'No screen, page or e-mail contains English from outside the catalogue',
    bar: '0',
    measure: measureLiterals,
  },
  testsPromise('Plurals follow each language’s rules; the pseudo language lengthens them by 80 %', [
    'packages/i18n',
    'scripts/messages',
  ]),
  testsPromise('Text has a contrast of 4.5 : 1 and edges 3 : 1 on every background, in both themes', [
    'packages/ui/src/contrast.test.ts',
  ]),
  testsPromise('The filled area of the score field is the score', [
    'packages/ui/src/score-columns.test.ts',
    'desktop/src/renderer/foundation/scores',
  ]),
  ...AXE_MODES.map((mode) =>
    testsPromise(`In Chromium the screens pass axe: ${mode}`, [...INTERFACE_JOURNEY, '-t', `WCAG 2.2 AA: ${mode}$`]),
  ),
  testsPromise('In Chromium the screens are mirrored in Arabic and fit texts that are 80 % longer', [
    ...INTERFACE_JOURNEY,
    '-t',
    'is mirrored|fits its window',
  ]),
  testsPromise('The command palette works with the keyboard alone, and a typed name survives a change of language', [
    ...INTERFACE_JOURNEY,
    '-t',
    'command palette|keeps a name',
  ]),
  testsPromise('Screen readers find the same names, roles and headings in a conversation and its result', [
    '--config',
    'desktop/e2e/vitest.config.ts',
    'accessibility-tree-journey',
  ]),
  { claim: 'Scripts before the first paint in English, gzipped', bar: '150 kB', measure: measureFirstPaint },
  {
    claim: 'The same with the largest catalogue',
    bar: '200 kB',
    measure: measureLargestFirstPaint,
  },
  {
    claim: 'Seconds from `npm start` to the first screen',
    bar: '3',
    measure: async () => atMost((await measureWarmStart()) / 1000, 3),
  },
  {
    claim: 'Idle memory of the app without its window',
    bar: '180 MB',
    measure: () =>
      measureIdleMemory(
        (folder) =>
          startNode(['scripts/start.ts', '--no-open', '--no-server'], { PARLEY_DATA_DIR: folder, LOG_LEVEL: 'error' }),
        180,
      ),
  },
  {
    claim: 'Idle memory of the local server with its embedded database',
    bar: '250 MB',
    measure: () =>
      measureIdleMemory(
        (folder) =>
          startNode(['sync-server/src/main.ts'], {
            // As `npm start` sets it.
            MALLOC_ARENA_MAX: '1',
            HOST: '127.0.0.1',
            PORT: '0',
            DATA_DIR: folder,
            LOG_LEVEL: 'error',
          }),
        250,
      ),
  },
];
