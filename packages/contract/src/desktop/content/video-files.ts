/**
 * The addresses of a video and its cover in the window. The host fetches them from wherever the video is, in the ranges
 * that the player requests.
 */
import { z } from 'zod';

export interface VideoFile {
  videoId: string;
  part: 'file' | 'cover';
}

const VIDEO_PATH = /^\/videos\/([^/]+)(\/cover)?$/;

/** Relative to the window's page. Without a connection the player reports an error. */
export const videoFileAddress = (videoId: string): string => `./videos/${videoId}`;
export const videoCoverAddress = (videoId: string): string => `./videos/${videoId}/cover`;

/** Null for any other path below the window's page. */
export function parseVideoPath(path: string): VideoFile | null {
  const [, id, cover] = VIDEO_PATH.exec(path) ?? [];
  const videoId = z.uuid().safeParse(id);
  return videoId.success ? { videoId: videoId.data, part: cover === undefined ? 'file' : 'cover' } : null;
}
