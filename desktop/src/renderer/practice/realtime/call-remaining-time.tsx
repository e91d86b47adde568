/** Shows the remaining time of a call; only urgent changes are announced to screen readers. */
import { MutedText } from '@parley/ui';
import { type ReactElement, useEffect, useState } from 'react';
import { describeCallTime } from '../session/remaining-time.ts';
import type { CallState } from './use-call.ts';

export function CallRemainingTime({ state }: { state: CallState }): ReactElement {
  const isOpen = state.status === 'active' && state.connection === 'open';
  const leftS = useCountdown(state.status === 'active' ? state.remainingS : null, isOpen);
  const { text, isUrgent } = describeCallTime(leftS);
  return (
    <>
      {!isUrgent && <MutedText small>{text}</MutedText>}
      <p role="status">{isUrgent ? text : ''}</p>
    </>
  );
}

/** Counts down locally from the last value that the server reported. */
function useCountdown(reportedS: number | null, isRunning: boolean): number | null {
  const [elapsedS, setElapsed] = useState(0);
  useEffect(() => {
    setElapsed(0);
    if (!isRunning || reportedS === null) return undefined;
    const startedAtMs = performance.now();
    const timer = setInterval(() => setElapsed(Math.floor((performance.now() - startedAtMs) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [reportedS, isRunning]);
  return reportedS === null ? null : Math.max(0, reportedS - elapsedS);
}
