/** Tells a learner who is waiting for the first word that the coach's model is still loading. */
import type { ModelLoading } from '@parley/coach/model';
import type { ReplyEvent } from '@parley/contract';

/** A model that is already in memory answers sooner. */
const ANNOUNCE_AFTER_MS = 3_000;

/** `loading` is null for a model that is always ready. */
export async function* announceLoading(
  events: AsyncIterable<ReplyEvent>,
  loading: Pick<ModelLoading, 'isUnderWay'> | null,
  announceAfterMs: number = ANNOUNCE_AFTER_MS,
): AsyncGenerator<ReplyEvent, void> {
  if (loading === null) return yield* events;
  const iterator = events[Symbol.asyncIterator]();
  const first = iterator.next();
  // If the learner leaves before the first event, its failure must not become an unhandled rejection.
  first.catch(() => undefined);
  try {
    if ((await isLate(first, announceAfterMs)) && loading.isUnderWay()) yield { type: 'loading' };
    for (let next = await first; next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    // This is not awaited, because it may wait for a load that continues without this learner.
    iterator.return?.()?.catch(() => undefined);
  }
}

async function isLate(first: Promise<unknown>, afterMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), afterMs);
  });
  try {
    return await Promise.race([first.then(() => false), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
