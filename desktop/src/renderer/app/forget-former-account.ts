/** After a change of account: no screen shows, not even for a moment, what the one before was told. */
import type { QueryClient } from '@tanstack/react-query';

export async function forgetFormerAccount(cache: QueryClient): Promise<void> {
  cache.removeQueries({ type: 'inactive' });
  await cache.invalidateQueries();
}
