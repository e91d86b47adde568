/** Describes what is wrong with a video in a pack. */
import { explain, type Explanation } from '@parley/domain';
import type { ReceivedVideo } from '../../media/index.ts';

const TYPE_BY_EXTENSION: Readonly<Partial<Record<string, string>>> = { mp4: 'video/mp4', webm: 'video/webm' };

export function findVideoProblem(name: string, received: ReceivedVideo): Explanation | null {
  if (!received.ok) return explain(`film.${received.reason}`);
  return TYPE_BY_EXTENSION[name.split('.').at(-1) ?? ''] === received.video.mediaType
    ? null
    : explain('film.other_type');
}
