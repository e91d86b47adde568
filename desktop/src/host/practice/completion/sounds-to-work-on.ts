/** The sounds that have been weak recently, and where else they can be practised, for the next step of the feedback. */
import type { SessionToReview } from '@parley/coach';
import { type PracticeId, weakestSounds } from '@parley/domain';
import { findPracticeWithSound } from '../../catalogue/index.ts';
import { readDayTotals } from '../../review/index.ts';
import type { Session } from '../session/session-rows.ts';
import type { CompletionParts } from './completion-parts.ts';

const WEAK_SOUNDS = 8;

export type SoundsToWorkOn = Pick<SessionToReview, 'weakSounds' | 'practiceWithSound'>;

export function soundsToWorkOn(
  { store, catalogue }: Pick<CompletionParts, 'store' | 'catalogue'>,
  { practiceId, difficulty }: Pick<Session, 'practiceId' | 'difficulty'>,
): SoundsToWorkOn {
  const learnerTexts = (id: PracticeId): string[] => catalogue.learnerTexts(id, difficulty);
  return {
    weakSounds: weakestSounds(readDayTotals(store), WEAK_SOUNDS).map(({ sound }) => sound),
    practiceWithSound: (sound) => {
      const cards = catalogue.practices();
      const level = cards.find((card) => card.practiceId === practiceId)?.level;
      const others = cards.filter((card) => card.state === 'ready' && card.practiceId !== practiceId);
      const newAtLevel = others.filter((card) => card.bestScore === null && card.level === level);
      return (
        findPracticeWithSound(sound, newAtLevel, learnerTexts) ?? findPracticeWithSound(sound, others, learnerTexts)
      );
    },
  };
}
