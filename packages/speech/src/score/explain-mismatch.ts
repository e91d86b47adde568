/** Explains why a recording does not match its text: too quiet to be understood, or only the beginning of it was said. */
import type { UnusableCause } from '@parley/domain';
import type { AudioReport } from '../signal/inspect.ts';

/** From this share on, words at the beginning were said on purpose and not matched by accident. */
const MIN_FIRST_PART = 0.15;

export function explainMismatch(
  verdict: AudioReport['verdict'],
  words: { count: number; omitted: ReadonlySet<number>; fit: boolean },
): UnusableCause | undefined {
  if (verdict === 'too_quiet') return 'too_quiet';
  const said = Array.from({ length: words.count }, (_, index) => index).filter((index) => !words.omitted.has(index));
  // A single word of another text can resemble the first one by accident.
  const isBeginning = words.fit && said.every((wordIndex, place) => wordIndex === place);
  const share = said.length / words.count;
  return isBeginning && share >= MIN_FIRST_PART && share < 1 ? 'first_part' : undefined;
}
