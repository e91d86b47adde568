/** Reads a video with the position where the learner stopped. */
import type { CoursePlace } from '@parley/contract';
import type { HostQueries } from '../foundation/host/host-connection.ts';

export type VideoKey = CoursePlace & { videoId: string };

/**
 * Not cached, because the position moves while the video plays and a player starts at the position that it is given.
 */
export const videoQuery = (queries: Pick<HostQueries, 'courses'>, at: VideoKey) =>
  queries.courses.video.queryOptions({ input: at, gcTime: 0 });
