/** Chooses the practices that Today offers besides the suggested one. */
import type { PracticeCard } from '@parley/contract';
import { ENGLISH_LEVELS, type EnglishLevel } from '@parley/domain';

const OTHERS_SHOWN = 3;

/** Practices without a score come first, and those nearest to the learner's level first of all; then those that can still improve. */
export function otherPractices(
  cards: readonly PracticeCard[],
  { suggested, level }: { suggested: string | null; level: EnglishLevel | null },
): PracticeCard[] {
  const at = ENGLISH_LEVELS.indexOf(level ?? ENGLISH_LEVELS[0]);
  const distance = (card: PracticeCard): number => Math.abs(ENGLISH_LEVELS.indexOf(card.level) - at);
  return cards
    .filter((card) => card.practiceId !== suggested && card.state === 'ready')
    .toSorted((a, b) => (a.bestScore ?? -1) - (b.bestScore ?? -1) || distance(a) - distance(b))
    .slice(0, OTHERS_SHOWN);
}
