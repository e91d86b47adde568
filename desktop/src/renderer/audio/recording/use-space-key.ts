/** Handles the space bar while no other control handles the keyboard. */
import { useEffect, useRef } from 'react';

export const usesKeyboard = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest(
    'input, textarea, select, button:not([aria-disabled="true"]), a, summary, audio, video, [contenteditable="true"], [role="dialog"], [role="radio"]',
  ) !== null;

/** Does nothing while `onPress` is null. */
export function useSpaceKey(onPress: (() => void) | null): void {
  const latest = useRef(onPress);
  latest.current = onPress;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (latest.current === null || event.code !== 'Space' || event.repeat || usesKeyboard(event.target)) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
