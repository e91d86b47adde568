/**
 * Filters the captions of a coach's realtime speech. Audio cannot be held back until its text is checked, but the text arrives first, so a
 * reply that recites our prompts or names a link is detected before most of it is heard.
 */
import { MIN_LEAK_LETTERS, createLeakDetector } from '../safety/prompt-leak-detector.ts';
import { containsLink } from '../safety/private-data.ts';
import { createTagStripper } from '../safety/strip-tags.ts';

export interface CaptionGate {
  /** Returns the words without markers, and nothing after forbidden content. */
  take: (piece: string) => string;
  /** The utterance must be interrupted. */
  mustInterrupt: () => boolean;
  /** Returns the part of the heard text that may be stored. */
  storableText: (text: string) => string;
  /** Whether the end marker was spoken, by a model without function calls. */
  hasEndMarker: () => boolean;
}

export function createCaptionGate(): CaptionGate {
  const tags = createTagStripper();
  const detect = createLeakDetector();
  /** The text that has been let through. */
  let shown = '';
  let mustStop = false;
  return {
    take(piece) {
      if (mustStop) return '';
      const words = tags.take(piece);
      mustStop = [...words].some((character) => detect(character) >= MIN_LEAK_LETTERS) || containsLink(shown + words);
      if (mustStop) return '';
      shown += words;
      return words;
    },
    storableText: (text) => (mustStop && text.length > shown.length ? shown.trim() : text),
    mustInterrupt: () => mustStop,
    hasEndMarker: () => tags.endsWithMarker(),
  };
}

/** Returns a complete utterance in a form that can be shown and stored. */
export function plainUtterance(text: string): string {
  const tags = createTagStripper();
  return `${tags.take(text)}${tags.finish()}`.trim();
}
