/** How long a call may still go on. Only what is worth interrupting for is said aloud. */
import { Quiet } from '@parley/ui';
import { type ReactElement, useEffect, useState } from 'react';
import { timeLeft } from '../time-left.ts';
import type { CallState } from './use-call.ts';

export function CallTimeLeft({ state }: { state: CallState }): ReactElement {
  const isOpen = state.status === 'held' && state.line === 'open';
  const leftS = useCountdown(state.status === 'held' ? state.remainingS : null, isOpen);
  const { text, isUrgent } = timeLeft(leftS);
  return (
    <>
      {!isUrgent && <Quiet small>{text}</Quiet>}
      <p role="status">{isUrgent ? text : ''}</p>
    </>
  );
}

/** Goes down while it counts, from what was told last. */
function useCountdown(toldS: number | null, counts: boolean): number | null {
  const [goneS, setGone] = useState(0);
  useEffect(() => {
    setGone(0);
    if (!counts || toldS === null) return undefined;
    const sinceMs = performance.now();
    const timer = setInterval(() => setGone(Math.floor((performance.now() - sinceMs) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [toldS, counts]);
  return toldS === null ? null : Math.max(0, toldS - goneS);
}
