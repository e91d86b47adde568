/** Finds out where a video's file is fetched from. The window names only the video; where it is, the catalogue decides. */
import type { VideoFile } from '@parley/contract';
import { mediaIdOf } from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import { type Store, videos } from '../store/index.ts';

/** A request to make. It may contain the device's token, so the window never sees it. */
export interface VideoSource {
  url: string;
  headers: Record<string, string>;
}

export interface VideoFiles {
  /** Null when there is no such video that learners may see, or its server is not connected. */
  find: (asked: VideoFile) => Promise<VideoSource | null>;
}

export interface VideoFileParts {
  store: Store;
  /** Null when the app uses no server. */
  serverUrl: () => string | null;
  readToken: () => Promise<string | null>;
}

export const createVideoFiles = ({ store, serverUrl, readToken }: VideoFileParts): VideoFiles => ({
  async find({ videoId, part }) {
    const row = store.db
      .select({ fileUrl: videos.fileUrl, deletedAt: videos.deletedAt })
      .from(videos)
      .where(and(eq(videos.videoId, videoId), eq(videos.availability, 'ready')))
      .get();
    if (row === undefined || row.deletedAt !== null) return null;
    if (mediaIdOf(row.fileUrl) === null)
      return part === 'file' && URL.parse(row.fileUrl)?.protocol === 'https:'
        ? { url: row.fileUrl, headers: {} }
        : null;
    const [server, token] = [serverUrl(), await readToken()];
    if (server === null || token === null) return null;
    const path = part === 'file' ? row.fileUrl : `${row.fileUrl}/cover`;
    return { url: new URL(path, server).href, headers: { authorization: `Bearer ${token}` } };
  },
});
