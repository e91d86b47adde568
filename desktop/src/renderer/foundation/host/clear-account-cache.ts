/** Clears the query cache after a change of account, so that no screen shows the previous account's data. */
import type { QueryClient } from '@tanstack/react-query';

export async function clearAccountCache(cache: QueryClient): Promise<void> {
  cache.removeQueries({ type: 'inactive' });
  await cache.invalidateQueries();
}
