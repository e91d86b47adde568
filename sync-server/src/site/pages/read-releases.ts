/** Lists the installers that the operator has put into the downloads folder. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import { nullWhenMissing } from '../../missing-file.ts';

export const PLATFORMS = ['Windows', 'macOS', 'Linux'] as const;

export type ReleaseKind = 'installer' | 'disk_image' | 'app_image' | 'debian_package';

export interface Release {
  file: string;
  platform: (typeof PLATFORMS)[number];
  kind: ReleaseKind;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

const KINDS: readonly [pattern: RegExp, platform: Release['platform'], kind: ReleaseKind][] = [
  [/\.exe$/i, 'Windows', 'installer'],
  [/\.dmg$/i, 'macOS', 'disk_image'],
  [/\.AppImage$/, 'Linux', 'app_image'],
  [/\.deb$/i, 'Linux', 'debian_package'],
];

/** What the updater of the app asks for, besides the installers. */
const UPDATE_FILES = /\.(?:ya?ml|blockmap|zip)$/i;

export const isServed = (file: string): boolean =>
  /^[\w][\w .+-]*$/.test(file) && (UPDATE_FILES.test(file) || KINDS.some(([pattern]) => pattern.test(file)));

/** Visitors who come at the same time wait for the same hash. */
const hashes = new LRUCache<string, Promise<string>>({ max: 200 });

export async function readReleases(dir: string | null): Promise<Release[]> {
  if (dir === null) return [];
  const names = (await readdir(dir).catch(nullWhenMissing)) ?? [];
  const releases: Release[] = [];
  for (const file of names.filter(isServed).toSorted()) {
    const known = KINDS.find(([pattern]) => pattern.test(file));
    if (known === undefined) continue;
    const path = join(dir, file);
    // An installer that is replaced at this moment is listed the next time.
    const status = await stat(path).catch(() => null);
    if (status === null || !status.isFile()) continue;
    const { size, mtimeMs } = status;
    const sha256 = await hashOnce(path, `${path} ${size} ${mtimeMs}`).catch(() => null);
    if (sha256 !== null) releases.push({ file, platform: known[1], kind: known[2], bytes: size, sha256 });
  }
  return releases;
}

function hashOnce(path: string, key: string): Promise<string> {
  const hash =
    hashes.get(key) ??
    hashFile(path).catch((error: unknown) => {
      hashes.delete(key);
      throw error;
    });
  hashes.set(key, hash);
  return hash;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
