/** Filters practices by search words and filters. */
import type { PracticeCard } from '@parley/contract';
import type { EnglishLevel } from '@parley/domain';
import { explain } from '../foundation/language/explanations.tsx';

export interface PracticeFilter {
  search: string;
  /** Null means any. */
  category: string | null;
  level: EnglishLevel | null;
  coach: string | null;
  maxMinutes: number | null;
  style: PracticeStyleFilter | null;
}

/** `guided` practices work without a live coach, and so without a network. */
export const PRACTICE_STYLE_FILTERS = ['guided', 'live_only'] as const;
export type PracticeStyleFilter = (typeof PRACTICE_STYLE_FILTERS)[number];

/** The filter as parameters of an address, in which what is not filtered has none. */
type PracticeFilterSearch = { [Name in keyof PracticeFilter]?: NonNullable<PracticeFilter[Name]> };

export const searchToFilter = (search: PracticeFilterSearch): PracticeFilter => ({
  search: search.search ?? '',
  category: search.category ?? null,
  level: search.level ?? null,
  coach: search.coach ?? null,
  maxMinutes: search.maxMinutes ?? null,
  style: search.style ?? null,
});

export const NO_FILTER: PracticeFilter = searchToFilter({});

export const filterToSearch = (filter: PracticeFilter): PracticeFilterSearch =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null && value !== ''));

/** The lengths by which a catalogue can be filtered: each but the greatest, which leaves nothing out. */
export const lengthsToChoose = (cards: readonly PracticeCard[]): number[] =>
  [...new Set(cards.map(({ minutes }) => minutes))].toSorted((a, b) => a - b).slice(0, -1);

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
      (filter.coach === null || card.coachName === filter.coach) &&
      (filter.maxMinutes === null || card.minutes <= filter.maxMinutes) &&
      (filter.style === null || card.hasScript === (filter.style === 'guided'))
    );
  });
}
