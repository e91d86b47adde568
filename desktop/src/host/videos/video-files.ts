/**
 * Decides whether the learner may watch a video, and where its file is: on this computer or on the server. The window
 * sends only the video's id.
 */
import type { VideoFile } from '@parley/contract';
import { mediaAddress, mediaIdOf, ok } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { failed, type HostResult } from '../result/index.ts';
import { type Store, videos } from '../store/index.ts';
import type { KeptVideo, RemoteVideo, VideoSource } from './video-source.ts';

export interface VideoFiles {
  /** Fails with `video.not_found`, `course.locked`, or `sync.offline` when the app uses no server. */
  find: (asked: VideoFile) => Promise<HostResult<VideoSource>>;
  /** Where the server has the video, even if there is a copy here. */
  findRemote: (asked: VideoFile) => Promise<HostResult<RemoteVideo>>;
}

export interface VideoFileParts {
  store: Store;
  /** Whether the learner may open this video in a course. */
  checkVideo: (videoId: string) => HostResult<void>;
  /** Null when the app uses no server. */
  serverUrl: () => string | null;
  readToken: () => Promise<string | null>;
  /** The copy of an upload on this computer; null when there is none. */
  findKept: (mediaId: string) => KeptVideo | null;
}

export function createVideoFiles({ store, checkVideo, serverUrl, readToken, findKept }: VideoFileParts): VideoFiles {
  /**
   * The address of an upload. No other address is fetched, because the request would reveal to others who is watching.
   */
  function locate(videoId: string): HostResult<{ address: string; mediaId: string }> {
    const checked = checkVideo(videoId);
    if (!checked.ok) return checked;
    const row = store.db.select({ fileUrl: videos.fileUrl }).from(videos).where(eq(videos.videoId, videoId)).get();
    const mediaId = row === undefined ? null : mediaIdOf(row.fileUrl);
    return mediaId === null ? failed('video.not_found') : ok({ address: mediaAddress(mediaId), mediaId });
  }

  async function findRemote({ videoId, part }: VideoFile): Promise<HostResult<RemoteVideo>> {
    const located = locate(videoId);
    if (!located.ok) return located;
    const [server, token] = [serverUrl(), await readToken()];
    if (server === null) return failed('sync.offline');
    const { address } = located.value;
    return ok({
      url: new URL(part === 'file' ? address : `${address}/cover`, server).href,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
  }

  return {
    findRemote,
    async find(asked) {
      const located = locate(asked.videoId);
      if (!located.ok) return located;
      const kept = asked.part === 'file' ? findKept(located.value.mediaId) : null;
      return kept === null ? findRemote(asked) : ok(kept);
    },
  };
}
