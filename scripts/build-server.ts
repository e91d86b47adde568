/**
 * `npm run build:server [FOLDER]`: bundles the server into `sync-server/dist`, which runs with Node 24 alone: no TypeScript, no development
 * packages. Packages that load files of their own are copied beside the bundle.
 */
import { cp, mkdir, readFile, rm, stat, readdir, writeFile, chmod } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { z } from 'zod';
import { panelBuild } from './start/app-build.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = resolve(process.argv[2] ?? join(ROOT, 'sync-server/dist'));
const MAX_BYTES = 120 * 1_024 ** 2;

/** These packages load WebAssembly or workers relative to their own files. */
const COPIED_PACKAGES = ['@electric-sql/pglite', '@resvg/resvg-wasm', 'pino', 'thread-stream'];
/** Optional packages of our packages, which are not installed. */
const NOT_INSTALLED = ['pg-native', '@fastify/swagger'];
/** The files that the server reads at run time, relative to the repository root, where the modules expect them. */
const RUNTIME_FILES = [
  'sync-server/package.json',
  'sync-server/src/db/migrations',
  'sync-server/src/check-services/good-morning.wav',
  'packages/catalogue/src/generated/starter-catalogue.json',
  'packages/coach/prompts',
  'packages/i18n/src/locales',
  'sync-server/admin/out',
  'sync-server/src/site/assets/theme.css',
  'sync-server/src/site/assets/site.css',
  'sync-server/src/site/assets/sections.css',
  'sync-server/src/site/assets/blog.css',
  'sync-server/src/site/assets/pictures',
  'sync-server/src/school/site-texts/texts',
  'node_modules/@fontsource-variable/literata/files/literata-latin-opsz-normal.woff2',
  'node_modules/@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2',
  'node_modules/@fontsource-variable/source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2',
];

const Package = z.object({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

/** These start as separate processes and threads, and keep their relative path in the built folder. */
const STARTED_FILES = [
  'sync-server/src/authoring/packs/read-pack-worker',
  'sync-server/src/db/embedded/create-database-folder-process',
  'sync-server/src/site/blog/draw-picture-worker',
];

/** The entries at the top of the built folder beside the folders of `RUNTIME_FILES` and the parts of the bundle. */
const BUILT_NAMES = new Set(['bin', 'LICENSE', 'package.json', 'parley-server.mjs', 'parley-server.mjs.LEGAL.txt']);

/** The other modules of the bundle are in one folder, so each locates its files through the path of its source. */
const KEEP_FILE_ADDRESSES: Plugin = {
  name: 'keep-file-addresses',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      if (path.includes('node_modules') || STARTED_FILES.some((file) => path === join(ROOT, `${file}.ts`))) return null;
      const address = JSON.stringify(`./${relative(ROOT, path).replaceAll('\\', '/')}`);
      const contents = (await readFile(path, 'utf8')).replaceAll(
        /\bimport\.meta\.url\b/g,
        `new URL(${address}, import.meta.url).href`,
      );
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

const refusal = await whyNotReplace(DIST);
if (refusal !== null) {
  console.error(refusal);
  process.exit(1);
}
await panelBuild(ROOT).ensure((line) => console.log(line));
await mkdir(DIST, { recursive: true });
// The next build replaces the folder only if it finds package.json. This build may be interrupted, so the old file
// stays until the new one is there.
for (const name of await readdir(DIST))
  if (name !== 'package.json') await rm(join(DIST, name), { recursive: true, force: true });
await writeFile(
  join(DIST, 'package.json'),
  `${JSON.stringify(
    {
      name: 'parley-server',
      version: (await readPackage(join(ROOT, 'sync-server'))).version,
      private: true,
      license: 'MIT',
      type: 'module',
      bin: { 'parley-server': './bin/parley-server' },
      engines: { node: '>=24' },
    },
    null,
    2,
  )}\n`,
);
await build({
  entryPoints: {
    'parley-server': join(ROOT, 'sync-server/src/main.ts'),
    ...Object.fromEntries(STARTED_FILES.map((file) => [file, join(ROOT, `${file}.ts`)])),
  },
  outdir: DIST,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  jsx: 'automatic',
  legalComments: 'linked',
  external: [...COPIED_PACKAGES, ...NOT_INSTALLED],
  // Bundled CommonJS packages call `require`.
  banner: {
    js: `import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);`,
  },
  plugins: [KEEP_FILE_ADDRESSES],
  logLevel: 'error',
});
for (const file of RUNTIME_FILES) await cp(join(ROOT, file), join(DIST, file), { recursive: true });
for (const name of COPIED_PACKAGES) await copyPackage(name, ROOT);
await mkdir(join(DIST, 'bin'));
// The program does not load on an older Node, so it is imported after the check.
await writeFile(
  join(DIST, 'bin/parley-server'),
  `#!/usr/bin/env node
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error('Parley needs Node 24 or newer. This is ' + process.version + '.');
  process.exit(1);
}
await import('../parley-server.mjs');
`,
);
await chmod(join(DIST, 'bin/parley-server'), 0o755);
await cp(join(ROOT, 'LICENSE'), join(DIST, 'LICENSE'));

const bytes = await sizeOf(DIST);
console.log(`${DIST}: ${(bytes / 1_024 ** 2).toFixed(1)} MiB`);
if (bytes > MAX_BYTES) {
  console.error(`The built server must stay below ${MAX_BYTES / 1_024 ** 2} MiB.`);
  process.exit(1);
}

async function readPackage(dir: string): Promise<z.infer<typeof Package>> {
  return Package.parse(JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')));
}

/** The folder is emptied, so it must not contain anything else, such as the data of a server that was started in it. */
async function whyNotReplace(folder: string): Promise<string | null> {
  if (!(await exists(folder))) return null;
  if (!(await stat(folder)).isDirectory()) return `${folder} is a file: choose a folder.`;
  const names = await readdir(folder);
  if (names.length === 0) return null;
  const others = names.filter((name) => !isBuilt(name));
  if (others.length > 0)
    return `${folder} contains ${others.join(', ')}, which no build of the server makes: move that elsewhere, or choose an empty folder.`;
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '');
  return text.includes('"name": "parley-server"')
    ? null
    : `${folder} has no package.json of a built server. If it is what an interrupted build has left, delete it; otherwise choose an empty folder.`;
}

/** Whether a build writes a file or folder of this name directly into its folder. */
function isBuilt(name: string): boolean {
  return (
    BUILT_NAMES.has(name) ||
    RUNTIME_FILES.some((file) => file.startsWith(`${name}/`)) ||
    /^[\w.-]+-[A-Z0-9]{8}\.mjs(\.LEGAL\.txt)?$/.test(name)
  );
}

/** Copies an installed package and its dependencies. Nested versions keep their place. */
async function copyPackage(name: string, from: string): Promise<void> {
  const source = await findPackage(name, from);
  if (source === null) return;
  const target = join(DIST, relative(ROOT, source));
  if (await exists(target)) return;
  await cp(source, target, { recursive: true, filter: isNeeded });
  for (const dependency of Object.keys((await readPackage(source)).dependencies)) await copyPackage(dependency, source);
}

/** Leaves out what packages publish for developers. */
function isNeeded(path: string): boolean {
  return !/\.(map|[cm]?tsx?)$/.test(path) && !/\/(test|tests|docs|benchmarks|\.github)$/.test(path.slice(ROOT.length));
}

/** Looks for a package like Node, from a folder upwards. */
async function findPackage(name: string, from: string): Promise<string | null> {
  for (let dir = from; dir.startsWith(dirname(ROOT)); dir = dirname(dir)) {
    const candidate = join(dir, 'node_modules', name);
    if (await exists(candidate)) return candidate;
  }
  return null;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function sizeOf(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
