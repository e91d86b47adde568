import type { VideoView } from '@parley/contract';
import { CourseId } from '@parley/domain';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createQueries, type HostClient } from '../foundation/host/host-connection.ts';
import { videoQuery } from './video-query.ts';

const AT = { courseId: CourseId.parse(crypto.randomUUID()), courseSectionId: crypto.randomUUID(), videoId: 'welcome' };

it('begins where the learner stopped, even if the video was open a moment ago', async () => {
  let positionS = 0;
  const view = (): Partial<VideoView> => ({ positionS });
  const client = { courses: { video: async () => view() } } as unknown as HostClient;
  // As in the app, where nothing goes stale on its own.
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const open = (): { firstPositionS: Promise<number>; close: () => void } => {
    const observer = new QueryObserver(cache, videoQuery(createQueries(client), AT));
    const { promise, resolve } = Promise.withResolvers<number>();
    const close = observer.subscribe(({ data }) => {
      if (data !== undefined) resolve(data.positionS);
    });
    observer.updateResult();
    const { data } = observer.getCurrentResult();
    if (data !== undefined) resolve(data.positionS);
    return { firstPositionS: promise, close };
  };

  const first = open();
  expect(await first.firstPositionS).toBe(0);
  positionS = 95;
  first.close();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = open();
  expect(await second.firstPositionS).toBe(95);
  second.close();
});
