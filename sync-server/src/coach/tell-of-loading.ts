/** Tells a learner who waits for a coach's first word that its model is being loaded. */
import type { ModelLoading } from '@parley/coach/model';
import type { ReplyEvent } from '@parley/contract';

/** A model that is in memory has spoken by then. */
const TOLD_AFTER_MS = 3_000;

/** `loading` is null for a model that is always ready. */
export async function* tellOfLoading(
  events: AsyncIterable<ReplyEvent>,
  loading: Pick<ModelLoading, 'isUnderWay'> | null,
  toldAfterMs: number = TOLD_AFTER_MS,
): AsyncGenerator<ReplyEvent, void> {
  if (loading === null) return yield* events;
  const iterator = events[Symbol.asyncIterator]();
  const first = iterator.next();
  // The learner may leave before it has come, and it may then fail unheard.
  first.catch(() => undefined);
  try {
    if ((await isLate(first, toldAfterMs)) && loading.isUnderWay()) yield { type: 'loading' };
    for (let next = await first; next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    // Not waited for: it may hang on a load that goes on without this learner.
    iterator.return?.()?.catch(() => undefined);
  }
}

async function isLate(first: Promise<unknown>, afterMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), afterMs);
  });
  try {
    return await Promise.race([first.then(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}
