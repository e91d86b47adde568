/** Builds the renderer when what it is made of has changed, and only then. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SOURCES = ['desktop/src/renderer', 'packages/ui/src', 'packages/contract/src', 'packages/domain/src'];
const FILES = ['desktop/vite.renderer.config.ts', 'package-lock.json'];

export interface RendererBuild {
  rendererDir: string;
  /** Resolves to whether anything had to be built. */
  ensure: (say: (line: string) => void) => Promise<boolean>;
}

export function rendererBuild(rootDir: string): RendererBuild {
  const rendererDir = join(rootDir, 'desktop/out/renderer');
  const stampFile = join(rootDir, 'desktop/out/renderer.stamp');
  return {
    rendererDir,
    ensure: async (say) => {
      const stamp = await stampOf(rootDir);
      const isBuilt = await stat(join(rendererDir, 'index.html')).then(
        () => true,
        () => false,
      );
      if (isBuilt && (await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return false;
      say('Building the window (only when its sources changed) …');
      const vite = join(rootDir, 'node_modules/vite/bin/vite.js');
      const args = [vite, 'build', '--config', 'vite.renderer.config.ts', '--logLevel', 'warn'];
      const build = spawn(process.execPath, args, {
        cwd: join(rootDir, 'desktop'),
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const [code] = (await once(build, 'exit')) as [number | null];
      if (code !== 0) throw new Error('The window could not be built; the lines above say why.');
      await writeFile(stampFile, stamp);
      return true;
    },
  };
}

/** Changes when a source is added, removed, or written. */
async function stampOf(rootDir: string): Promise<string> {
  const hash = createHash('sha256');
  const listed = await Promise.all(
    SOURCES.map(async (source) =>
      (await readdir(join(rootDir, source), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    ),
  );
  for (const file of [...listed.flat(), ...FILES.map((name) => join(rootDir, name))].toSorted()) {
    const { mtimeMs, size } = await stat(file);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}
