/** Reads every import of the code and holds it against the rules. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { FEATURE_ROOTS, FRAMES, type Layer, LAYERS } from './rules.ts';

export interface SourceFile {
  /** From the root, with slashes. */
  path: string;
  imports: readonly string[];
}

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s*(?:type\s+)?(?:[\w*{},\s$]+?\s+from\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const TEST = /\.(test|suite)\.tsx?$|\/test-kit\//;

/** Specifiers that a source imports, statically or not. Comments do not count. */
export function importsOf(source: string): string[] {
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
    [...new Set(files.flat())].map(async (file) => ({
      path: relative(rootDir, file).split(sep).join('/'),
      imports: importsOf(await readFile(file, 'utf8')),
    })),
  );
}

/** One sentence a broken rule. Tests may reach further, as they start the parts together. */
export function findViolations(sources: readonly SourceFile[]): string[] {
  return sources.flatMap((source) => {
    if (TEST.test(source.path)) return [];
    const layer = layerOf(source.path);
    return layer === undefined ? [] : source.imports.flatMap((specifier) => violation(source, layer, specifier));
  });
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The innermost layer that a file lies in. */
const layerOf = (path: string): Layer | undefined =>
  LAYERS.filter(({ folder }) => isWithin(path, folder)).toSorted((a, b) => b.folder.length - a.folder.length)[0];

function violation(source: SourceFile, layer: Layer, specifier: string): string[] {
  if (specifier.startsWith('.')) return pathViolation(source, layer, specifier);
  const ours = /^@parley\/([a-z-]+)/.exec(specifier)?.[1];
  if (ours !== undefined && !layer.packages.includes(ours)) return [`${source.path} must not import ${specifier}`];
  return layer.forbids.some((forbidden) => forbidden.test(specifier))
    ? [`${source.path} must not import ${specifier}`]
    : [];
}

function pathViolation(source: SourceFile, layer: Layer, specifier: string): string[] {
  const target = posix.normalize(posix.join(dirname(source.path), specifier));
  const mayReach = [layer.folder, ...layer.folders].some((folder) => isWithin(target, folder));
  if (!mayReach) return [`${source.path} must not reach into ${target}`];
  const entered = featureOf(target);
  if (entered === null || entered === featureOf(source.path) || FRAMES.has(entered)) return [];
  const isFrontDoor = target === `${entered}/index.ts`;
  return isFrontDoor ? [] : [`${source.path} must enter ${entered} through its index.ts, not ${target}`];
}

/** The feature folder that a path lies in; null for files beside the features. */
function featureOf(path: string): string | null {
  const root = FEATURE_ROOTS.find((folder) => isWithin(path, folder));
  if (root === undefined) return null;
  const parts = path.slice(root.length + 1).split('/');
  return parts.length > 1 ? `${root}/${parts[0]}` : null;
}
