/** Decides whether the learner may watch a video, and where its file is fetched from. The window names only the video. */
import type { VideoFile } from '@parley/contract';
import { mediaIdOf, ok } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { failed, type HostResult } from '../result/index.ts';
import { type Store, videos } from '../store/index.ts';

/** A request to make. It may contain the device's token, so the window never sees it. */
export interface VideoSource {
  url: string;
  headers: Record<string, string>;
}

export interface VideoFiles {
  /** Fails with `video.not_found`, `course.locked`, or `sync.offline` when the app uses no server. */
  find: (asked: VideoFile) => Promise<HostResult<VideoSource>>;
}

export interface VideoFileParts {
  store: Store;
  /** Whether the learner may open this video in a course. */
  checkVideo: (videoId: string) => HostResult<void>;
  /** Null when the app uses no server. */
  serverUrl: () => string | null;
  readToken: () => Promise<string | null>;
}

export const createVideoFiles = ({ store, checkVideo, serverUrl, readToken }: VideoFileParts): VideoFiles => ({
  async find({ videoId, part }) {
    const checked = checkVideo(videoId);
    if (!checked.ok) return checked;
    const address = store.db
      .select({ fileUrl: videos.fileUrl })
      .from(videos)
      .where(eq(videos.videoId, videoId))
      .get()?.fileUrl;
    // Only uploads to the learner's server are fetched: a request to any other address would tell others who watches.
    if (address === undefined || mediaIdOf(address) === null) return failed('video.not_found');
    const [server, token] = [serverUrl(), await readToken()];
    if (server === null) return failed('sync.offline');
    return ok({
      url: new URL(part === 'file' ? address : `${address}/cover`, server).href,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
  },
});
