/** Says what is wrong with a video that came with a pack. */
import type { MediaRefusal } from '@parley/contract';
import type { ReceivedVideo } from '../../media/index.ts';

const REFUSALS: Readonly<Record<MediaRefusal, string>> = {
  not_video: 'This file is not a video.',
  unsupported: 'Learners’ apps do not play this kind of video. Save it as MP4 (H.264) or WebM.',
  damaged: 'There is no picture in this file. It may be damaged.',
  too_long: 'This video is longer than six hours.',
};
const TYPE_BY_EXTENSION: Readonly<Partial<Record<string, string>>> = { mp4: 'video/mp4', webm: 'video/webm' };

export function findVideoProblem(name: string, received: ReceivedVideo): string | null {
  if (!received.ok) return REFUSALS[received.reason];
  return TYPE_BY_EXTENSION[name.split('.').at(-1) ?? ''] === received.video.mediaType
    ? null
    : 'This is a video of another type than its name says.';
}
