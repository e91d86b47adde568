/** The sounds that were weak lately, and where else they can be practised, for the next step of the feedback. */
import type { SessionToReview } from '@parley/coach';
import { ENGLISH_LEVELS, type PracticeId, weakestSounds } from '@parley/domain';
import { findPracticeWithSound } from '../../catalogue/index.ts';
import { readDayTotals } from '../../review/index.ts';
import type { CompletionParts } from './completion-parts.ts';

const WEAK_SOUNDS = 8;

export type SoundsToWorkOn = Pick<SessionToReview, 'weakSounds' | 'practiceWithSound'>;

export const soundsToWorkOn = (
  { store, catalogue }: Pick<CompletionParts, 'store' | 'catalogue'>,
  practiceId: PracticeId,
): SoundsToWorkOn => ({
  weakSounds: weakestSounds(readDayTotals(store), WEAK_SOUNDS).map(({ sound }) => sound),
  practiceWithSound: (sound) =>
    findPracticeWithSound(sound, otherPractices(catalogue, practiceId), (id) => catalogue.usefulWords(id)),
});

/** New ones first, and of those the nearest in level. */
function otherPractices(catalogue: CompletionParts['catalogue'], practiceId: PracticeId) {
  const cards = catalogue.practices();
  const level = cards.find((card) => card.practiceId === practiceId)?.level ?? ENGLISH_LEVELS[0];
  const distance = (card: (typeof cards)[number]): number =>
    Math.abs(ENGLISH_LEVELS.indexOf(card.level) - ENGLISH_LEVELS.indexOf(level));
  return cards
    .filter((card) => card.state === 'ready' && card.practiceId !== practiceId)
    .toSorted((a, b) => Number(a.bestScore !== null) - Number(b.bestScore !== null) || distance(a) - distance(b));
}
