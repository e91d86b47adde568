/** Keeps the newest turn above the dock, which grows and shrinks over the end of the list. */
import { type RefObject, useEffect, useRef } from 'react';

const AIR_PX = 16;

export interface LastTurnInSight {
  /** Behind the last turn. */
  end: RefObject<HTMLDivElement | null>;
  dock: RefObject<HTMLDivElement | null>;
}

/** `watch` changes with every turn. */
export function useLastTurnInSight(watch: string): LastTurnInSight {
  const end = useRef<HTMLDivElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const over = dock.current;
    if (over === null) return undefined;
    const show = (): void => {
      end.current?.style.setProperty('scroll-margin-bottom', `${over.offsetHeight + AIR_PX}px`);
      end.current?.scrollIntoView({ block: 'end' });
    };
    // It tells at once how large the dock is, and again with each hint.
    const sizes = new ResizeObserver(show);
    sizes.observe(over);
    return () => sizes.disconnect();
  }, [watch]);
  return { end, dock };
}
