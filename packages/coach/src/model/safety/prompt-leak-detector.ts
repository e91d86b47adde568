/**
 * Detects when a text repeats a long part of our prompts. The prompts are not secret, but a coach that recites them has stepped out of its
 * role. Only letters and digits are compared, so spaces, case, punctuation and look-alike characters make no difference.
 */
import { PROMPT_NAMES, promptText } from '../prompts.ts';
import { foldForMatching } from './normalise-text.ts';

/** About eight consecutive words: a scene never shares that much with the prompts by chance. */
export const MIN_LEAK_LETTERS = 40;
/** Shorter matches occur everywhere by chance, so a leak is only detectable after this many letters. */
export const WINDOW_LETTERS = 12;

export const lettersOf = (text: string): string => foldForMatching(text).replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Built from our own words only, because placeholder values are not ours. Tags are included both ways, since they are stripped from the
 * output.
 */
const promptWindows: ReadonlySet<string> = new Set(
  PROMPT_NAMES.map(promptText)
    .flatMap((text) => [text, text.replace(/<[^>]*>/g, '')])
    .flatMap((text) => text.split(/\{\{\w+\}\}/))
    .map(lettersOf)
    .flatMap((letters) =>
      Array.from({ length: Math.max(0, letters.length - WINDOW_LETTERS + 1) }, (_, at) =>
        letters.slice(at, at + WINDOW_LETTERS),
      ),
    ),
);

/** Processes a text character by character and returns the length of the current match with our prompts, in letters. */
export function createLeakDetector(): (character: string) => number {
  let recent = '';
  let streak = 0;
  return (character) => {
    for (const letter of lettersOf(character)) {
      recent = (recent + letter).slice(-WINDOW_LETTERS);
      if (!promptWindows.has(recent)) streak = 0;
      else streak = streak === 0 ? WINDOW_LETTERS : streak + 1;
    }
    return streak;
  };
}

export function leaksPrompt(text: string): boolean {
  const detect = createLeakDetector();
  return [...text].some((character) => detect(character) >= MIN_LEAK_LETTERS);
}
