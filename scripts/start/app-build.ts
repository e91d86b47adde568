/** Builds the app and the admin panel when their sources have changed. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const RENDERER_SOURCES = [
  'desktop/src/renderer',
  'packages/i18n/src',
  'packages/ui/src',
  'packages/contract/src',
  'packages/domain/src',
];
const ELECTRON_SOURCES = ['desktop/src', 'packages'];

const PANEL_SOURCES = [
  'sync-server/admin/src',
  'packages/i18n/src',
  'packages/ui/src',
  'packages/contract/src',
  'packages/domain/src',
];

interface Build {
  /** Resolves to true when a build was necessary. */
  ensure: (say: (line: string) => void) => Promise<boolean>;
}

export interface AppBuild extends Build {
  /** Folder of the built renderer. */
  rendererDir: string;
}

/** The renderer alone, which is all that the browser shell needs. */
export const rendererBuild = (rootDir: string): AppBuild =>
  appBuild(rootDir, {
    name: 'window',
    product: 'renderer/index.html',
    sources: RENDERER_SOURCES,
    files: ['desktop/vite.renderer.config.ts', 'scripts/notices/third-party-notices.ts', 'package-lock.json'],
    program: 'vite/bin/vite.js',
    args: ['build', '--config', 'vite.renderer.config.ts', '--logLevel', 'warn'],
  });

/** Everything that Electron runs: main process, host, workers, preload and renderer. */
export const electronBuild = (rootDir: string): AppBuild =>
  appBuild(rootDir, {
    name: 'app',
    product: 'main/main.js',
    sources: ELECTRON_SOURCES,
    files: ['desktop/electron.vite.config.ts', 'desktop/vite.renderer.config.ts', 'package-lock.json'],
    program: 'electron-vite/bin/electron-vite.js',
    args: ['build', '--logLevel', 'warn'],
  });

/** The admin panel, which the sync server serves. An installation without development packages keeps the panel that it has. */
export function panelBuild(rootDir: string): Build {
  const program = 'vite/bin/vite.js';
  const build = createBuild(rootDir, {
    name: 'admin panel',
    folder: 'sync-server/admin',
    product: 'index.html',
    sources: PANEL_SOURCES,
    files: ['sync-server/admin/vite.config.ts', 'package-lock.json'],
    program,
    args: ['build', '--logLevel', 'error'],
  });
  return {
    ensure: async (say) => existsSync(join(rootDir, 'node_modules', program)) && build.ensure(say),
  };
}

interface BuildOptions {
  name: string;
  /** The workspace, whose `out` receives the build. */
  folder: string;
  product: string;
  sources: readonly string[];
  files: readonly string[];
  program: string;
  args: readonly string[];
}

const appBuild = (rootDir: string, options: Omit<BuildOptions, 'folder'>): AppBuild => ({
  ...createBuild(rootDir, { ...options, folder: 'desktop' }),
  rendererDir: join(rootDir, 'desktop/out/renderer'),
});

function createBuild(rootDir: string, options: BuildOptions): Build {
  const { name, folder, product, sources, files, program, args } = options;
  const outDir = join(rootDir, folder, 'out');
  const stampFile = join(outDir, `${name.replaceAll(' ', '-')}.stamp`);
  return {
    ensure: async (say) => {
      const stamp = await computeStamp(rootDir, { sources, files });
      const isBuilt = await stat(join(outDir, product)).then(
        () => true,
        () => false,
      );
      if (isBuilt && (await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return false;
      say(`Building the ${name} (only when its sources changed) …`);
      const build = spawn(process.execPath, [join(rootDir, 'node_modules', program), ...args], {
        cwd: join(rootDir, folder),
        stdio: ['ignore', 'ignore', 'inherit'],
        // Vite uses the inherited NODE_ENV, which is `test` in tests: the window would get React's development build.
        env: { ...process.env, NODE_ENV: 'production' },
      });
      const [code] = (await once(build, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`The ${name} could not be built; the lines above say why.`);
      await writeFile(stampFile, stamp);
      return true;
    },
  };
}

/** Returns a hash that changes when a source is added, removed or written. */
async function computeStamp(
  rootDir: string,
  { sources, files }: Pick<BuildOptions, 'sources' | 'files'>,
): Promise<string> {
  const hash = createHash('sha256');
  const filesBySource = await Promise.all(
    sources.map(async (source) =>
      (await readdir(join(rootDir, source), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    ),
  );
  for (const file of [...filesBySource.flat(), ...files.map((name) => join(rootDir, name))].toSorted()) {
    const { mtimeMs, size } = await stat(file);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}
