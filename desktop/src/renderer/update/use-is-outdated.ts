/** Whether the server last said that this version of Parley is too old for it. */
import type { SyncStatus } from '@parley/contract';
import { useState } from 'react';

/** While it is asking the server, the app knows no more than before. */
const ASKING: readonly SyncStatus['state'][] = ['pushing', 'pulling'];

export function useIsOutdated(state: SyncStatus['state'] | undefined): boolean {
  const [isOutdated, setOutdated] = useState(state === 'outdated');
  const isNow = state === undefined || ASKING.includes(state) ? isOutdated : state === 'outdated';
  if (isNow !== isOutdated) setOutdated(isNow);
  return isNow;
}
