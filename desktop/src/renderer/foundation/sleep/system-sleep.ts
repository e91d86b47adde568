/**
 * Detects that the computer sleeps. Electron reports it; in a browser, the only sign is a clock that jumps between two
 * ticks.
 */
import { useEffect, useRef } from 'react';
import { isShellMessage } from '../host/shell-message.ts';

const TICK_MS = 1_000;
/** A tick may be late on a busy computer, but not this late. */
const VISIBLE_JUMP_MS = 15_000;
/** Browsers run the timers of a hidden page only once a minute. */
const HIDDEN_JUMP_MS = 90_000;

interface Tick {
  atMs: number;
  isVisible: boolean;
}

/** Whether the computer slept between two ticks that should be one second apart. */
export const hasSleptBetween = (before: Tick, now: Tick): boolean =>
  now.atMs - before.atMs >= (before.isVisible && now.isVisible ? VISIBLE_JUMP_MS : HIDDEN_JUMP_MS);

/** In Electron, a clock that jumps was merely set. */
const isInElectron = (): boolean => navigator.userAgent.includes('Electron/');

/**
 * Calls back when the computer is about to sleep, or otherwise as soon as it has woken. Returns a function that stops
 * it.
 */
export function subscribeToSleep(onSleep: () => void): () => void {
  const readTick = (): Tick => ({ atMs: Date.now(), isVisible: document.visibilityState === 'visible' });
  let last = readTick();
  const check = (): void => {
    const before = last;
    last = readTick();
    if (hasSleptBetween(before, last)) onSleep();
  };
  const timer = isInElectron() ? undefined : setInterval(check, TICK_MS);
  const onMessage = (event: MessageEvent<unknown>): void => {
    if (isShellMessage(event, 'parley:sleep')) onSleep();
  };
  window.addEventListener('message', onMessage);
  return () => {
    clearInterval(timer);
    window.removeEventListener('message', onMessage);
  };
}

/** Calls back when the computer sleeps, for as long as it is enabled. */
export function useSystemSleep(isEnabled: boolean, onSleep: () => void): void {
  const latest = useRef(onSleep);
  latest.current = onSleep;
  useEffect(() => (isEnabled ? subscribeToSleep(() => latest.current()) : undefined), [isEnabled]);
}
