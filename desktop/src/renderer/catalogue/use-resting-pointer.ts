/** Detects that the mouse, or the keyboard focus, has rested on something for a while; Escape ends it. */
import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

const REST_MS = 600;

export interface RestingPointer {
  isResting: boolean;
  /** Handlers for the element under the mouse. */
  pointerHandlers: {
    onPointerEnter: (event: PointerEvent) => void;
    onPointerLeave: () => void;
  };
  /** Handlers for the focused element. */
  focusHandlers: {
    onFocus: (event: FocusEvent) => void;
    onBlur: () => void;
  };
}

export function useRestingPointer(): RestingPointer {
  const [isResting, setResting] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const arrive = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setResting(true), REST_MS);
  };
  const leave = (): void => {
    clearTimeout(timer.current);
    setResting(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!isResting) return;
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setResting(false);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isResting]);
  return {
    isResting,
    pointerHandlers: {
      // A scrolling finger does not rest on anything.
      onPointerEnter: ({ pointerType }) => pointerType === 'mouse' && arrive(),
      onPointerLeave: leave,
    },
    focusHandlers: {
      onFocus: ({ currentTarget }) => currentTarget.matches(':focus-visible') && arrive(),
      onBlur: leave,
    },
  };
}
