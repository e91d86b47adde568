/** Reads the renderer's files and nothing outside their folder. */
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

export interface StaticFile {
  mediaType: string;
  content: Buffer;
}

/** Returns the path of a file inside `rootDir` for a URL path, or null if it is elsewhere or has an unknown type. */
export function resolveStaticPath(rootDir: string, urlPath: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (path.includes('\0') || path.includes('\\')) return null;
  const file = normalize(join(rootDir, path === '/' ? 'index.html' : path));
  const isInside = file.startsWith(normalize(rootDir) + (rootDir.endsWith(sep) ? '' : sep));
  return isInside && Object.hasOwn(MEDIA_TYPES, extname(file)) ? file : null;
}

export async function readStaticFile(rootDir: string, urlPath: string): Promise<StaticFile | null> {
  const file = resolveStaticPath(rootDir, urlPath);
  if (file === null) return null;
  try {
    return { content: await readFile(file), mediaType: MEDIA_TYPES[extname(file)] ?? 'application/octet-stream' };
  } catch {
    return null;
  }
}
