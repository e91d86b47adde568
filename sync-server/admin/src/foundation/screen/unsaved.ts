/** Tracks whether a screen has unsaved work, and asks before the user leaves it. */
import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';

/** One entry for each screen, or part of one, with unsaved work. */
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

/**
 * Called by the frame. Changing the part of the address after the path, such as the language of a text, does not leave
 * the screen.
 */
export const useLeaveQuestion = () =>
  useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved.size > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved.size > 0,
    withResolver: true,
  });
