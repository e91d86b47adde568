/** Keeps the newest turn of the script in view, even while the dock below grows and shrinks. */
import { type RefObject, useEffect, useRef } from 'react';

/** Scrolls again whenever the key changes, as it does with every turn. */
export function useKeepLastTurnVisible(changeKey: string): RefObject<HTMLDivElement | null> {
  const script = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = script.current;
    if (element === null) return undefined;
    // The observer reports the initial size too, and again whenever the dock changes it.
    const resizeObserver = new ResizeObserver(() => element.scrollTo({ top: element.scrollHeight }));
    resizeObserver.observe(element);
    return () => resizeObserver.disconnect();
  }, [changeKey]);
  return script;
}
