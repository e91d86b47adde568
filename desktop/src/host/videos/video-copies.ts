/**
 * Keeps copies of videos in the data folder. They are downloaded in one or several steps, within a size limit, and are
 * played only once complete.
 */
import type { ErrorCode, VideoCopies as VideoCopyList, VideoCopy } from '@parley/contract';
import { mediaIdOf, ok } from '@parley/domain';
import { eq, isNull } from 'drizzle-orm';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Logger } from '../logger.ts';
import type { HostResult } from '../result/index.ts';
import { limitAnswer, toFailure, toResponseFailure } from '../server/index.ts';
import { isDiskFullError, renameFile, requireRoomFor, type Store, videos } from '../store/index.ts';
import type { KeptVideo, RemoteVideo } from './video-source.ts';

export interface VideoCopies {
  copy(videoId: string): VideoCopy;
  list(): VideoCopyList;
  keep(videoId: string): Promise<HostResult<void>>;
  remove(videoId: string): Promise<void>;
  /** Null unless the upload's file is complete. */
  findKept(mediaId: string): KeptVideo | null;
  close(): Promise<void>;
}

export interface VideoCopyParts {
  store: Store;
  /** Whether the learner may watch the video, and where the server has it. */
  findRemote: (videoId: string) => Promise<HostResult<RemoteVideo>>;
  logger: Pick<Logger, 'error'>;
  maxBytes?: number;
}

/** Size of all copies together: a few long courses. */
const MAX_BYTES = 5 * 1_073_741_824;

/** The state of a copy before it is complete. */
const Description = z.object({ etag: z.string(), totalBytes: z.number().int().min(0), mediaType: z.string() });
type Description = z.infer<typeof Description>;

interface Download {
  stop: AbortController;
  done: Promise<void>;
}

/** The copies would exceed the size limit. */
class OverLimit extends Error {}

export function createVideoCopies(parts: VideoCopyParts): VideoCopies {
  const { store, logger, maxBytes = MAX_BYTES } = parts;
  const dir = join(store.dataDir, 'videos');
  const downloads = new Map<string, Download>();
  const failures = new Map<string, ErrorCode | 'limit'>();
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const fileOf = (mediaId: string, ending: 'json' | 'part' | 'video'): string => join(dir, `${mediaId}.${ending}`);

  function describe(mediaId: string): Description | null {
    try {
      return Description.parse(JSON.parse(readFileSync(fileOf(mediaId, 'json'), 'utf8')));
    } catch {
      return null;
    }
  }

  function findKept(mediaId: string): KeptVideo | null {
    const description = describe(mediaId);
    const path = fileOf(mediaId, 'video');
    if (description === null || sizeOf(path) !== description.totalBytes) return null;
    return { path, bytes: description.totalBytes, mediaType: description.mediaType, etag: description.etag };
  }

  const knownIds = (): string[] =>
    readdirSync(dir).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
  /** The full size of a started download is reserved, so that concurrent downloads stay within the limit. */
  const usedBytes = (exceptId?: string): number =>
    knownIds()
      .filter((id) => id !== exceptId)
      .reduce((sum, id) => sum + (describe(id)?.totalBytes ?? 0), 0);

  const mediaIdOfVideo = (videoId: string): string | null => {
    const row = store.db.select({ fileUrl: videos.fileUrl }).from(videos).where(eq(videos.videoId, videoId)).get();
    return row === undefined ? null : mediaIdOf(row.fileUrl);
  };

  function deleteFiles(mediaId: string): void {
    for (const ending of ['video', 'part', 'json'] as const) rmSync(fileOf(mediaId, ending), { force: true });
  }

  /**
   * Files that were replaced or withdrawn are no longer needed. If there is no video at all, the catalogue has yet to
   * arrive.
   */
  function deleteUnused(): void {
    const shown = store.db.select({ fileUrl: videos.fileUrl }).from(videos).where(isNull(videos.deletedAt)).all();
    const used = new Set(shown.map(({ fileUrl }) => mediaIdOf(fileUrl)));
    if (used.size > 0) for (const id of knownIds()) if (!used.has(id)) deleteFiles(id);
  }
  deleteUnused();

  async function request(mediaId: string, { url, headers }: RemoteVideo, signal: AbortSignal): Promise<Response> {
    const description = describe(mediaId);
    const from = sizeOf(fileOf(mediaId, 'part'));
    const isBegun = description !== null && from > 0 && from < description.totalBytes;
    const range = isBegun ? { range: `bytes=${from}-`, 'if-range': description.etag } : {};
    return fetch(url, {
      headers: { ...headers, 'accept-encoding': 'identity', ...range },
      redirect: 'error',
      signal,
    });
  }

  async function download(mediaId: string, remote: RemoteVideo, signal: AbortSignal): Promise<void> {
    const response = limitAnswer(await request(mediaId, remote, signal));
    const { status, body, headers } = response;
    if (!response.ok || body === null) throw new Refused(status, await response.json().catch(() => null));
    const part = fileOf(mediaId, 'part');
    // If the server has a different file by now, it sends that from the beginning.
    const from = status === 206 ? sizeOf(part) : 0;
    const totalBytes = from + Number(headers.get('content-length') ?? NaN);
    const description = { etag: headers.get('etag') ?? '', totalBytes, mediaType: headers.get('content-type') ?? '' };
    const isExpected =
      Number.isSafeInteger(totalBytes) &&
      description.mediaType.startsWith('video/') &&
      (status !== 206 || headers.get('content-range') === `bytes ${from}-${totalBytes - 1}/${totalBytes}`);
    if (!isExpected) {
      await body.cancel();
      throw new Refused(502, null);
    }
    if (usedBytes(mediaId) + totalBytes > maxBytes) {
      await body.cancel();
      throw new OverLimit();
    }
    await requireRoomFor(dir, totalBytes - from).catch(async (error: unknown) => {
      await body.cancel();
      throw error;
    });
    await writeFile(fileOf(mediaId, 'json'), JSON.stringify(description), { mode: 0o600 });
    let missing = totalBytes - from;
    const bounded = new Transform({
      transform(chunk: Uint8Array, _encoding, next) {
        missing -= chunk.byteLength;
        next(missing < 0 ? new Error('the server sent more than it announced') : null, chunk);
      },
    });
    const file = createWriteStream(part, { flags: from > 0 ? 'a' : 'w', mode: 0o600 });
    await pipeline(Readable.from(body), bounded, file, { signal });
    if (missing !== 0) throw new Refused(502, null);
    renameFile(part, fileOf(mediaId, 'video'));
  }

  function start(mediaId: string, remote: RemoteVideo): void {
    const stop = new AbortController();
    failures.delete(mediaId);
    const done = download(mediaId, remote, stop.signal)
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        const failure = failureOf(error);
        // Nothing has arrived, so the reservation is released.
        if (sizeOf(fileOf(mediaId, 'part')) === 0) deleteFiles(mediaId);
        failures.set(mediaId, failure);
        if (failure === 'internal') logger.error({ err: error }, 'video_download_failed');
      })
      .finally(() => downloads.delete(mediaId));
    downloads.set(mediaId, { stop, done });
  }

  function copyOf(mediaId: string): VideoCopy {
    const kept = findKept(mediaId);
    if (kept !== null) return { state: 'kept', bytes: kept.bytes };
    const bytes = sizeOf(fileOf(mediaId, 'part'));
    const totalBytes = describe(mediaId)?.totalBytes ?? null;
    if (downloads.has(mediaId)) return { state: 'loading', bytes, totalBytes };
    const failure = failures.get(mediaId) ?? null;
    return bytes === 0 && failure === null ? { state: 'none' } : { state: 'interrupted', bytes, totalBytes, failure };
  }

  return {
    findKept,

    copy(videoId) {
      const mediaId = mediaIdOfVideo(videoId);
      return mediaId === null ? { state: 'none' } : copyOf(mediaId);
    },

    list() {
      const known = new Set(knownIds());
      const rows = store.db
        .select({ videoId: videos.videoId, title: videos.title, fileUrl: videos.fileUrl })
        .from(videos)
        .where(isNull(videos.deletedAt))
        .all();
      const copies = rows.flatMap(({ videoId, title, fileUrl }) => {
        const mediaId = mediaIdOf(fileUrl);
        if (mediaId === null || !known.has(mediaId)) return [];
        const copy = copyOf(mediaId);
        return copy.state === 'none' ? [] : [{ videoId, title, bytes: copy.bytes }];
      });
      return { copies, usedBytes: usedBytes(), maxBytes };
    },

    async keep(videoId) {
      const remote = await parts.findRemote(videoId);
      if (!remote.ok) return remote;
      const mediaId = mediaIdOfVideo(videoId);
      if (mediaId !== null && findKept(mediaId) === null && !downloads.has(mediaId)) start(mediaId, remote.value);
      return ok(undefined);
    },

    async remove(videoId) {
      const mediaId = mediaIdOfVideo(videoId);
      if (mediaId === null) return;
      const download = downloads.get(mediaId);
      download?.stop.abort();
      await download?.done;
      failures.delete(mediaId);
      deleteFiles(mediaId);
    },

    async close() {
      for (const { stop } of downloads.values()) stop.abort();
      await Promise.all([...downloads.values()].map(({ done }) => done));
    },
  };
}

/** The server refused, or its response is not what it announced. */
class Refused extends Error {
  readonly code: ErrorCode;

  constructor(status: number, body: unknown) {
    super(`the video was refused with ${status}`);
    this.code = toResponseFailure(status, body).code;
  }
}

function failureOf(error: unknown): ErrorCode | 'limit' {
  if (error instanceof OverLimit) return 'limit';
  if (error instanceof Refused) return error.code;
  return isDiskFullError(error) ? 'storage.full' : toFailure(error).code;
}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);
