/** Shows the remaining time of a call; only urgent changes are announced to screen readers. */
import { MutedText } from '@parley/ui';
import { type ReactElement, useEffect, useState } from 'react';
import { describeCallTime } from '../session/remaining-time.ts';
import { NO_COUNTDOWN, updateCountdown } from './countdown.ts';
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

function useCountdown(remainingS: number | null, isOpen: boolean): number | null {
  const [countdown, setCountdown] = useState(NO_COUNTDOWN);
  useEffect(() => {
    const update = (): void => {
      const nowMs = performance.now();
      setCountdown((before) => updateCountdown(before, { remainingS, isOpen }, nowMs));
    };
    update();
    if (!isOpen || remainingS === null) return undefined;
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  }, [remainingS, isOpen]);
  return countdown.leftS;
}
