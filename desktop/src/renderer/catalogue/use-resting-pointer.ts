/** Notices that the mouse has come to rest on something, or that the keyboard has stayed there; Escape ends it. */
import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

const REST_MS = 600;

export interface RestingPointer {
  isResting: boolean;
  /** For what the mouse rests on. */
  pointerHandlers: {
    onPointerEnter: (event: PointerEvent) => void;
    onPointerLeave: () => void;
  };
  /** For what has the focus. */
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
      // A finger that scrolls rests nowhere.
      onPointerEnter: ({ pointerType }) => pointerType === 'mouse' && arrive(),
      onPointerLeave: leave,
    },
    focusHandlers: {
      onFocus: ({ currentTarget }) => currentTarget.matches(':focus-visible') && arrive(),
      onBlur: leave,
    },
  };
}
