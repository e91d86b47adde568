/** Collects the licences of the packages that the app ships with, from the lock file and the installed packages. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';

export interface Notice {
  name: string;
  version: string;
  /** The licence as the package states it, usually an SPDX expression. */
  licence: string;
  /** Everything that the package says about its licence; empty if it has no such file. */
  text: string;
}

const Dependencies = z.record(z.string(), z.string()).default({});
const Entry = z.object({
  name: z.string().optional(),
  version: z.string().default(''),
  license: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().default(false),
  dependencies: Dependencies,
  optionalDependencies: Dependencies,
});
const Lock = z.object({ packages: z.record(z.string(), Entry) });
type Packages = z.infer<typeof Lock>['packages'];

const LICENCE_FILE = /^(?:licen[cs]e|notice|copying|copyright)/i;

/**
 * Reads the notices of all packages that a workspace ships with, by name: those that its sources import, which the
 * bundler includes, and those that these need in turn. `workspace` is its folder, such as `desktop`.
 */
export async function readThirdPartyNotices(rootDir: string, workspace: string): Promise<Notice[]> {
  const imported = await findImportedPackages(join(rootDir, workspace, 'src'));
  const { packages } = Lock.parse(JSON.parse(await readFile(join(rootDir, 'package-lock.json'), 'utf8')));
  const notices = await Promise.all(
    [...findShippedPackages(packages, workspace, imported)].map(async (path) => {
      const { name, version = '', license } = packages[path] ?? {};
      return {
        name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
        version,
        licence: license ?? '',
        text: await readLicence(join(rootDir, path)),
      };
    }),
  );
  return notices.toSorted((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
}

/** The folders of the packages; our own packages are followed and left out. */
function findShippedPackages(packages: Packages, workspace: string, imported: readonly string[]): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const follow = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const entry = packages[path];
    if (entry === undefined) return;
    if (entry.link && entry.resolved !== undefined) return follow(entry.resolved);
    if (path.includes('node_modules/')) found.add(path);
    followAll(path, Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }));
  };
  const followAll = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const installed = locate(packages, from, name);
      if (installed !== null) follow(installed);
    }
  };
  follow(workspace);
  followAll(workspace, imported);
  return found;
}

const IMPORTED = /(?:from|import|import\() ?'((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^']*)?'/g;

/** The names of the packages that the sources below a folder import, without those that only tests import. */
async function findImportedPackages(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) =>
      entry.isFile() &&
      ['.ts', '.tsx'].includes(extname(entry.name)) &&
      !/\.(?:test|suite)\.tsx?$/.test(entry.name) &&
      !entry.parentPath.includes('test-kit'),
  );
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(IMPORTED)].map(([, name = '']) => name)))];
}

/**
 * Looks in the folder and then in each folder above it, as Node does; null for an optional package of another system.
 */
function locate(packages: Packages, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return null;
  }
}

async function readLicence(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const texts = names
    .filter((name) => LICENCE_FILE.test(name))
    .toSorted()
    .map((name) => readFile(join(folder, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).map((text) => text.trim()).join('\n\n');
}
