/**
 * Input for the next step of the feedback: sounds that have been weak recently, other practices that contain them, and
 * words that the learner does not want to review.
 */
import type { SessionToReview } from '@parley/coach';
import { ENGLISH_LEVELS, type EnglishLevel, type PracticeId, weakestSounds } from '@parley/domain';
import { findPracticeWithSound } from '../../catalogue/index.ts';
import { readDayTotals, readRemovedWords } from '../../review/index.ts';
import type { Session } from '../session/session-rows.ts';
import type { CompletionParts } from './completion-parts.ts';

const WEAK_SOUNDS = 8;

export type SoundsToWorkOn = Pick<SessionToReview, 'weakSounds' | 'practiceWithSound' | 'removedWords'>;

export function soundsToWorkOn(
  { store, catalogue }: Pick<CompletionParts, 'store' | 'catalogue'>,
  { practiceId, difficulty }: Pick<Session, 'practiceId' | 'difficulty'>,
): SoundsToWorkOn {
  const learnerTexts = (id: PracticeId): string[] => catalogue.learnerTexts(id, difficulty);
  return {
    weakSounds: weakestSounds(readDayTotals(store), WEAK_SOUNDS).map(({ sound }) => sound),
    removedWords: readRemovedWords(store),
    practiceWithSound: (sound) => {
      const cards = catalogue.practices();
      const level = cards.find((card) => card.practiceId === practiceId)?.level;
      const others = cards.filter((card) => card.state === 'ready' && card.practiceId !== practiceId);
      for (const near of byDistance(others, level)) {
        const unpractised = near.filter((card) => card.bestScore === null);
        const found =
          findPracticeWithSound(sound, unpractised, learnerTexts) ?? findPracticeWithSound(sound, near, learnerTexts);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

/** Groups practices by their distance from a level, nearest first. */
function byDistance<Card extends { level: EnglishLevel }>(
  cards: readonly Card[],
  level: EnglishLevel | undefined,
): Card[][] {
  const at = level === undefined ? 0 : ENGLISH_LEVELS.indexOf(level);
  const groups = Map.groupBy(cards, (card) => Math.abs(ENGLISH_LEVELS.indexOf(card.level) - at));
  return [...groups].toSorted(([a], [b]) => a - b).map(([, group]) => group);
}
