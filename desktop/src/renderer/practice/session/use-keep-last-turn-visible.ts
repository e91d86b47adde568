/** Keeps the newest turn of the script in view, even while the dock below grows and shrinks. */
import { type RefObject, useEffect, useRef } from 'react';

/** Scrolls again whenever the key changes, as it does with every turn. */
export function useKeepLastTurnVisible(changeKey: string): RefObject<HTMLDivElement | null> {
  const script = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = script.current;
    const middle = element?.parentElement;
    if (element === null || !middle) return undefined;
    // In a low window, the script scrolls together with the objectives below it.
    const scroll = (): void => {
      element.scrollTo({ top: element.scrollHeight });
      middle.scrollBy({ top: element.getBoundingClientRect().bottom - middle.getBoundingClientRect().bottom });
    };
    // The observer also reports the initial sizes, and reports again whenever the dock changes them.
    const resizeObserver = new ResizeObserver(scroll);
    resizeObserver.observe(element);
    resizeObserver.observe(middle);
    return () => resizeObserver.disconnect();
  }, [changeKey]);
  return script;
}
