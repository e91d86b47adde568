/**
 * Notices when a text repeats a long piece of our instructions. They are no secret, as they lie open beside this file; but a coach that recites
 * them has dropped its part. Only letters and digits are compared, so that spaces, case, marks and look-alikes hide nothing.
 */
import { PROMPT_NAMES, promptText } from './prompts.ts';
import { plainLetters } from './visible-text.ts';

/** About eight words in succession: no sentence of a scene shares as much with the prompts by chance. */
export const LEAK_LETTERS = 40;
/** Below this, two texts share letters everywhere; and so this many must pass before it is known that a leak begins. */
export const WINDOW_LETTERS = 12;

export const lettersOf = (text: string): string => plainLetters(text).replace(/[^\p{L}\p{N}]/gu, '');

/** Of our own words alone, as what stood in a placeholder is not ours; with the tags that they speak of, and without, as a gate strips them. */
const windows: ReadonlySet<string> = new Set(
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

/** Takes a text character by character; tells each time how many letters in succession, up to this one, stand in our instructions. */
export function watchForLeak(): (character: string) => number {
  let recent = '';
  let streak = 0;
  return (character) => {
    for (const letter of lettersOf(character)) {
      recent = (recent + letter).slice(-WINDOW_LETTERS);
      if (!windows.has(recent)) streak = 0;
      else streak = streak === 0 ? WINDOW_LETTERS : streak + 1;
    }
    return streak;
  };
}

export function leaksInstructions(text: string): boolean {
  const watch = watchForLeak();
  return [...text].some((character) => watch(character) >= LEAK_LETTERS);
}
