/** Builds what the app runs from when its sources have changed, and only then. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const WINDOW_SOURCES = ['desktop/src/renderer', 'packages/ui/src', 'packages/contract/src', 'packages/domain/src'];
const ELECTRON_SOURCES = ['desktop/src', 'packages'];

export interface AppBuild {
  /** Where the window's files lie once it is built. */
  rendererDir: string;
  /** Resolves to whether anything had to be built. */
  ensure: (say: (line: string) => void) => Promise<boolean>;
}

/** The window alone: all that the browser shell needs built. */
export const windowBuild = (rootDir: string): AppBuild =>
  appBuild(rootDir, {
    name: 'window',
    product: 'renderer/index.html',
    sources: WINDOW_SOURCES,
    files: ['desktop/vite.renderer.config.ts', 'package-lock.json'],
    program: 'vite/bin/vite.js',
    args: ['build', '--config', 'vite.renderer.config.ts', '--logLevel', 'warn'],
  });

/** Everything that Electron runs: main process, host, threads, preload and window. */
export const electronBuild = (rootDir: string): AppBuild =>
  appBuild(rootDir, {
    name: 'app',
    product: 'main/main.js',
    sources: ELECTRON_SOURCES,
    files: ['desktop/electron.vite.config.ts', 'desktop/vite.renderer.config.ts', 'package-lock.json'],
    program: 'electron-vite/bin/electron-vite.js',
    args: ['build', '--logLevel', 'warn'],
  });

interface BuildOptions {
  name: string;
  product: string;
  sources: readonly string[];
  files: readonly string[];
  program: string;
  args: readonly string[];
}

function appBuild(rootDir: string, options: BuildOptions): AppBuild {
  const { name, product, sources, files, program, args } = options;
  const outDir = join(rootDir, 'desktop/out');
  const stampFile = join(outDir, `${name}.stamp`);
  return {
    rendererDir: join(outDir, 'renderer'),
    ensure: async (say) => {
      const stamp = await stampOf(rootDir, { sources, files });
      const isBuilt = await stat(join(outDir, product)).then(
        () => true,
        () => false,
      );
      if (isBuilt && (await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return false;
      say(`Building the ${name} (only when its sources changed) …`);
      const build = spawn(process.execPath, [join(rootDir, 'node_modules', program), ...args], {
        cwd: join(rootDir, 'desktop'),
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [code] = (await once(build, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`The ${name} could not be built; the lines above say why.`);
      await writeFile(stampFile, stamp);
      return true;
    },
  };
}

/** Changes when a source is added, removed, or written. */
async function stampOf(rootDir: string, { sources, files }: Pick<BuildOptions, 'sources' | 'files'>): Promise<string> {
  const hash = createHash('sha256');
  const listed = await Promise.all(
    sources.map(async (source) =>
      (await readdir(join(rootDir, source), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    ),
  );
  for (const file of [...listed.flat(), ...files.map((name) => join(rootDir, name))].toSorted()) {
    const { mtimeMs, size } = await stat(file);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}
