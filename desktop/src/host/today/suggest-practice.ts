/** What to practise next, and why, in one sentence that the learner can check. */
import type { PracticeCard, TodayView } from '@parley/contract';
import { ENGLISH_LEVELS, type EnglishLevel } from '@parley/domain';

/** Under this a practice is worth another try before it counts as done. */
const WORTH_ANOTHER_TRY_BELOW = 80;

export function suggestPractice(
  cards: readonly PracticeCard[],
  learner: { level: EnglishLevel | null; practised: ReadonlySet<string> },
): TodayView['suggested'] {
  const level = learner.level ?? ENGLISH_LEVELS[0];
  const distance = (card: PracticeCard): number =>
    Math.abs(ENGLISH_LEVELS.indexOf(card.level) - ENGLISH_LEVELS.indexOf(level));
  const ready = cards.filter((card) => card.state === 'ready').toSorted((a, b) => distance(a) - distance(b));
  const fresh = ready.find((card) => !learner.practised.has(card.practiceId));
  if (fresh !== undefined) {
    const reason =
      learner.level === null
        ? `A good start: a ${fresh.level} practice of about ${fresh.minutes} min.`
        : distance(fresh) === 0
          ? `It is written for your level, ${fresh.level}, and new to you.`
          : `You have practised everything at your level; this ${fresh.level} one is new to you.`;
    return { practiceId: fresh.practiceId, reason };
  }
  const weakest = ready
    .flatMap((card) => (card.bestScore === null ? [] : [{ ...card, bestScore: card.bestScore }]))
    .toSorted((a, b) => a.bestScore - b.bestScore)[0];
  if (weakest === undefined || weakest.bestScore >= WORTH_ANOTHER_TRY_BELOW) return null;
  return {
    practiceId: weakest.practiceId,
    reason: `Your best score here is ${Math.round(weakest.bestScore)}; another try can raise it.`,
  };
}
