/** Knows whether a screen has work that is not saved, and asks before it is left. */
import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';

/** One entry for each screen or part of one that has unsaved work. */
const unsaved = new Set<symbol>();

/** The frame asks before another screen is opened, and the browser before the page is left. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const entry = Symbol('unsaved work');
    unsaved.add(entry);
    return () => void unsaved.delete(entry);
  }, [isUnsaved]);
}

/** For the frame. A part of the address after the path, such as the language of a text, keeps the screen and what was typed. */
export const useLeaveQuestion = () =>
  useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved.size > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved.size > 0,
    withResolver: true,
  });
