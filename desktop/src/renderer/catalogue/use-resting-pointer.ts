/** Notices that the mouse has come to rest on something, or that the keyboard has stayed there. */
import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

const REST_MS = 600;

export interface RestingPointer {
  isResting: boolean;
  handlers: {
    onPointerEnter: (event: PointerEvent) => void;
    onPointerLeave: () => void;
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
  return {
    isResting,
    handlers: {
      // A finger that scrolls rests nowhere.
      onPointerEnter: ({ pointerType }) => pointerType === 'mouse' && arrive(),
      onPointerLeave: leave,
      onFocus: ({ currentTarget }) => currentTarget.matches(':focus-visible') && arrive(),
      onBlur: leave,
    },
  };
}
