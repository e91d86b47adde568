/**
 * The words under a coach's live speech. Sound cannot be held back until its words were read, but its words come ahead of it: a line that
 * recites our instructions or names a page is noticed before most of it was heard.
 */
import { LEAK_LETTERS, watchForLeak } from './leak-watch.ts';
import { holdsLink } from './private-data.ts';
import { createTagStripper } from './strip-tags.ts';

export interface LiveCaptions {
  /** The words of a piece, without marks; none after something that must not be said. */
  take: (piece: string) => string;
  /** The line must be cut. */
  mustStop: () => boolean;
  /** Of what was heard of the line, what may be kept. */
  heard: (text: string) => string;
  /** Whether the mark for the end was spoken, by a model that takes no functions. */
  saysGoodbye: () => boolean;
}

export function createLiveCaptions(): LiveCaptions {
  const tags = createTagStripper();
  const watch = watchForLeak();
  /** All that was let through. */
  let shown = '';
  let mustStop = false;
  return {
    take(piece) {
      if (mustStop) return '';
      const words = tags.take(piece);
      mustStop = [...words].some((character) => watch(character) >= LEAK_LETTERS) || holdsLink(shown + words);
      if (mustStop) return '';
      shown += words;
      return words;
    },
    heard: (text) => (mustStop && text.length > shown.length ? shown.trim() : text),
    mustStop: () => mustStop,
    saysGoodbye: () => tags.hasEnded(),
  };
}

/** A whole line as it may be shown and kept. */
export const plainLine = (text: string): string => createTagStripper().take(text).trim();
