/** Shows how long a call has lasted, and its remaining time; only urgent changes are announced to screen readers. */
import { t } from '@parley/i18n';
import { MutedText } from '@parley/ui';
import { type ReactElement, useEffect, useState } from 'react';
import { clockTime } from '../../foundation/sentences/clock-time.ts';
import { describeCallTime } from '../session/remaining-time.ts';
import css from './call.module.css';
import { NO_COUNTDOWN, updateCountdown } from './countdown.ts';
import type { CallState } from './use-call.ts';

export function CallRemainingTime({ state }: { state: CallState }): ReactElement {
  const isOpen = state.status === 'active' && state.connection === 'open';
  const leftS = useCountdown(state.status === 'active' ? state.remainingS : null, isOpen);
  const lastedS = useSecondsOpen(isOpen);
  const { text, isUrgent } = describeCallTime(leftS);
  return (
    <>
      <div className={css['time']}>
        <span role="timer" aria-label={t('Length of the call')}>
          {clockTime(lastedS)}
        </span>
        {!isUrgent && <MutedText small>{text}</MutedText>}
      </div>
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

/** Counts the seconds in which the call was connected. */
function useSecondsOpen(isOpen: boolean): number {
  const [totalMs, setTotalMs] = useState(0);
  useEffect(() => {
    if (!isOpen) return undefined;
    let countedAtMs = performance.now();
    const timer = setInterval(() => {
      const nowMs = performance.now();
      const passedMs = nowMs - countedAtMs;
      countedAtMs = nowMs;
      setTotalMs((before) => before + passedMs);
    }, 1_000);
    return () => clearInterval(timer);
  }, [isOpen]);
  return totalMs / 1_000;
}
