/** Filters practices by search words and filters. */
import type { PracticeCard } from '@parley/contract';
import { explain } from '../foundation/language/explanations.tsx';

export interface PracticeFilter {
  search: string;
  /** Null means any. */
  category: string | null;
  level: string | null;
  coach: string | null;
}

export const NO_FILTER: PracticeFilter = { search: '', category: null, level: null, coach: null };

export function findPractices(cards: readonly PracticeCard[], filter: PracticeFilter): PracticeCard[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return cards.filter((card) => {
    const { title, descriptionSummary, category, coachName } = card;
    const shown = `${explain(descriptionSummary, coachName).text} ${explain(category).text}`;
    const text = `${title} ${descriptionSummary} ${category} ${coachName} ${shown}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (filter.category === null || card.category === filter.category) &&
      (filter.level === null || card.level === filter.level) &&
      (filter.coach === null || card.coachName === filter.coach)
    );
  });
}
