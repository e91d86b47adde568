/** Checks every import of the code against the import rules. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { BANS, FEATURE_ROOTS, type Layer, LAYERS, SHARED_FOLDERS } from './import-rules.ts';

export interface SourceFile {
  /** Relative to the repository root, with forward slashes. */
  path: string;
  imports: readonly string[];
}

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s*(?:type\s+)?(?:[\w*{},\s$]+?\s+from\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const TEST = /\.(test|suite)\.tsx?$|\/test-kit\//;

/** Returns the specifiers of all static and dynamic imports, ignoring comments. */
export function parseImports(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"])\/\/.*$/gm, '$1');
  return [...code.matchAll(IMPORT)].flatMap((match) => match[1] ?? match[2] ?? []);
}

export async function readSources(rootDir: string): Promise<SourceFile[]> {
  const folders = [...new Set(LAYERS.map(({ folder }) => folder))];
  const files = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(rootDir, folder), { recursive: true, withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  return Promise.all(
    [...new Set(files.flat())].map(async (file) => {
      const path = relative(rootDir, file).split(sep).join('/');
      return { path, imports: parseImports(await readFile(file, 'utf8')) };
    }),
  );
}

/** Returns one sentence per violation. Tests are exempt, because they start several parts together. */
export function findViolations(sources: readonly SourceFile[]): string[] {
  return sources.flatMap((source) => {
    if (TEST.test(source.path)) return [];
    const layer = findLayer(source.path);
    return source.imports.flatMap((specifier) => [
      ...(layer === undefined ? [] : checkImport(source, layer, specifier)),
      ...checkBans(source, specifier),
    ]);
  });
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Returns the innermost layer that contains the file. */
const findLayer = (path: string): Layer | undefined =>
  LAYERS.filter(({ folder }) => isWithin(path, folder)).toSorted((a, b) => b.folder.length - a.folder.length)[0];

function checkImport(source: SourceFile, layer: Layer, specifier: string): string[] {
  if (specifier.startsWith('.')) return checkRelativeImport(source, layer, specifier);
  const workspacePackage = /^@parley\/([a-z0-9-]+)/.exec(specifier)?.[1];
  if (workspacePackage !== undefined && !layer.packages.includes(workspacePackage))
    return [`${source.path} must not import ${specifier}`];
  return layer.forbids.some((forbidden) => forbidden.test(specifier))
    ? [`${source.path} must not import ${specifier}`]
    : [];
}

function checkRelativeImport(source: SourceFile, layer: Layer, specifier: string): string[] {
  const target = posix.normalize(posix.join(dirname(source.path), specifier));
  const mayReach = [layer.folder, ...layer.folders].some((folder) => isWithin(target, folder));
  if (!mayReach) return [`${source.path} must not reach into ${target}`];
  const targetFeature = findFeature(target);
  if (targetFeature === null || targetFeature === findFeature(source.path) || SHARED_FOLDERS.has(targetFeature))
    return [];
  const isPublicEntry = target === `${targetFeature}/index.ts`;
  return isPublicEntry ? [] : [`${source.path} must enter ${targetFeature} through its index.ts, not ${target}`];
}

function checkBans({ path }: SourceFile, specifier: string): string[] {
  const target = specifier.startsWith('.') ? posix.normalize(posix.join(dirname(path), specifier)) : specifier;
  return BANS.filter(
    ({ from, except, to }) =>
      (from === '' || isWithin(path, from)) && !except.some((folder) => isWithin(path, folder)) && to.test(target),
  ).map(({ rule }) => `${path} must not import ${target}: ${rule}`);
}

/** Finds cycles of files that import each other, including type imports; returns one sentence for each. */
export function findCycles(sources: readonly SourceFile[]): string[] {
  const importsByPath = new Map(
    sources
      .filter(({ path }) => !TEST.test(path))
      .map(({ path, imports }) => [
        path,
        imports
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => posix.normalize(posix.join(dirname(path), specifier))),
      ]),
  );
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      cycles.push(`these files import each other: ${[...trail.slice(start), path].join(' -> ')}`);
      return;
    }
    if (finished.has(path)) return;
    for (const next of importsByPath.get(path) ?? []) visit(next, [...trail, path]);
    finished.add(path);
  };
  for (const path of importsByPath.keys()) visit(path, []);
  return cycles;
}

/** Returns the feature folder of a path, or null for a file beside the features. */
function findFeature(path: string): string | null {
  const root = FEATURE_ROOTS.find((folder) => isWithin(path, folder));
  if (root === undefined) return null;
  const parts = path.slice(root.length + 1).split('/');
  return parts.length > 1 ? `${root}/${parts[0]}` : null;
}
