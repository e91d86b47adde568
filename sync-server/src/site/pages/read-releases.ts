/** Lists the installers in the operator's downloads folder: those of the release feed (`latest*.yml`), or all when there is no feed. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import { parse } from 'yaml';
import { z } from 'zod';
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
  /** Null when neither the feed nor the file name states it. */
  version: string | null;
  /** Null when no feed states it. */
  releasedAt: Date | null;
}

const KINDS: readonly [pattern: RegExp, platform: Release['platform'], kind: ReleaseKind][] = [
  [/\.exe$/i, 'Windows', 'installer'],
  [/\.dmg$/i, 'macOS', 'disk_image'],
  [/\.AppImage$/, 'Linux', 'app_image'],
  [/\.deb$/i, 'Linux', 'debian_package'],
];

/** The files that the app's updater requests, besides the installers. */
const UPDATE_FILES = /\.(?:ya?ml|blockmap|zip)$/i;

export const isServed = (file: string): boolean =>
  /^[\w][\w .+-]*$/.test(file) && (UPDATE_FILES.test(file) || KINDS.some(([pattern]) => pattern.test(file)));

/** Visitors who arrive at the same time wait for the same hash. */
const hashes = new LRUCache<string, Promise<string>>({ max: 200 });

export async function readReleases(dir: string | null): Promise<Release[]> {
  if (dir === null) return [];
  const names = (await readdir(dir).catch(nullWhenMissing)) ?? [];
  const feed = await readFeed(dir, names);
  const platformOf = (file: string) => KINDS.find(([pattern]) => pattern.test(file))?.[1];
  // An upload may so far have brought the feed of one platform only.
  const fed = new Set([...feed.keys()].map(platformOf));
  const releases: Release[] = [];
  for (const file of names.filter(isServed).toSorted()) {
    const known = KINDS.find(([pattern]) => pattern.test(file));
    if (known === undefined || (fed.has(known[1]) && !feed.has(file))) continue;
    const path = join(dir, file);
    // An installer that is being replaced at this moment is listed next time.
    const status = await stat(path).catch(() => null);
    if (status === null || !status.isFile()) continue;
    const { size, mtimeMs } = status;
    const sha256 = await hashOnce(path, `${path} ${size} ${mtimeMs}`).catch(() => null);
    const named = feed.get(file);
    if (sha256 !== null)
      releases.push({
        file,
        platform: known[1],
        kind: known[2],
        bytes: size,
        sha256,
        version: named?.version ?? VERSION_IN_NAME.exec(file)?.[0] ?? null,
        releasedAt: named?.releaseDate ?? null,
      });
  }
  return releases.toSorted((a, b) => (b.version ?? '').localeCompare(a.version ?? '', 'en', { numeric: true }));
}

const FEED_FILE = /^latest[\w-]*\.yml$/;
const VERSION_IN_NAME = /\d+\.\d+\.\d+/;

/** The format that electron-builder writes and the app's updater reads (https://www.electron.build/auto-update). */
const Feed = z.object({
  version: z.string().min(1).max(40),
  files: z.array(z.object({ url: z.string() })),
  releaseDate: z.coerce.date().optional(),
});

/** The entries of all feeds by file name. A feed that cannot be read, for example during an upload, is ignored. */
async function readFeed(dir: string, names: readonly string[]): Promise<Map<string, z.infer<typeof Feed>>> {
  const feeds = await Promise.all(
    names
      .filter((name) => FEED_FILE.test(name))
      .map(async (name) => Feed.safeParse(parse(await readFile(join(dir, name), 'utf8'))).data ?? null)
      .map((feed) => feed.catch(() => null)),
  );
  return new Map(
    feeds.filter((feed) => feed !== null).flatMap((feed) => feed.files.map(({ url }) => [url, feed] as const)),
  );
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
