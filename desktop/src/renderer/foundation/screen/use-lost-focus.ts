/** Keeps the keyboard, and a screen reader, in place when the control that had the focus disappears. */
import { type RefObject, useEffect, useRef } from 'react';

/** What replaces a control takes the focus that the control had. */
export function useLostFocus<Target extends HTMLElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null);
  useEffect(() => {
    // The heading of a screen that opens comes first.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) target.current?.focus();
    });
    return () => clearTimeout(timer);
  }, []);
  return target;
}
