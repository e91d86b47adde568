/** How a review advances: what a key does, and where a postponed card goes. */
import { REVIEW_GRADES, type ReviewGrade } from '@parley/domain';

type ReviewMove = { to: 'next_stage' } | { to: 'grade'; grade: ReviewGrade };

/**
 * Enter and the right arrow lead to the sentence first, where Enter accepts the suggestion. 1 to 4 grade in every
 * stage.
 */
export function moveOfKey(
  key: string,
  { hasNextStage, suggestion }: { hasNextStage: boolean; suggestion: ReviewGrade | null },
): ReviewMove | null {
  if (hasNextStage && (key === 'Enter' || key === 'ArrowRight')) return { to: 'next_stage' };
  if (suggestion === null) return null;
  const grade = key === 'Enter' ? suggestion : REVIEW_GRADES[Number(key) - 1];
  return grade === undefined ? null : { to: 'grade', grade };
}

/** Moves the card at `place` behind the others; if it is the last one, it is removed. */
export function putOff<Card>(cards: readonly Card[], place: number): Card[] {
  const card = cards[place];
  const others = cards.filter((_card, index) => index !== place);
  return card === undefined || place === cards.length - 1 ? others : [...others, card];
}
