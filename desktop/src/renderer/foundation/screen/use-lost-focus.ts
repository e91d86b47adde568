/** Keeps the keyboard, and a screen reader, in place when the control that had the focus disappears. */
import { type RefObject, useEffect, useRef } from 'react';

/** The element that replaces a focused control takes over the focus. */
export function useLostFocus<Target extends HTMLElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null);
  useEffect(() => {
    // When a screen opens, its heading has priority.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) target.current?.focus();
    });
    return () => clearTimeout(timer);
  }, []);
  return target;
}
