/** The catalogue of practices. */
import { t } from '@parley/i18n';
import type { PracticeCard } from '@parley/contract';
import { ENGLISH_LEVELS } from '@parley/domain';
import { Button, EmptyState, type Option, toOptions, Select, TextField } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { explainOptions } from '../foundation/language/explanations.tsx';
import { LEVEL_NAMES } from '../foundation/sentences/level-names.ts';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import { useLostFocus } from '../foundation/screen/use-lost-focus.ts';
import css from './catalogue.module.css';
import {
  filterToSearch,
  findPractices,
  lengthsToChoose,
  NO_FILTER,
  searchToFilter,
  type PracticeFilter,
  type PracticeStyleFilter,
  PRACTICE_STYLE_FILTERS,
} from './find-practices.ts';
import { PracticeCardView } from './practice-card.tsx';

export function PractiseScreen(): ReactElement {
  const { queries } = useHost();
  const practices = useQuery(queries.catalogue.practices.queryOptions());
  return (
    <Screen title={t('Practise')} intro={t('Conversations from working life, about five minutes each.')}>
      <QueryView query={practices} loadingLabel={t('Loading practices')}>
        {(cards) => <Practices cards={cards} />}
      </QueryView>
    </Screen>
  );
}

const ANY_VALUE = 'any';

const STYLE_NAMES: Record<PracticeStyleFilter, string> = {
  guided: t('Guided, works offline'),
  live_only: t('Only with a live coach'),
};

function Practices({ cards }: { cards: readonly PracticeCard[] }): ReactElement {
  const navigate = useNavigate();
  const search = useSearch({ from: '/practise' });
  const [filter, setFilter] = useState<PracticeFilter>(searchToFilter(search));
  const found = findPractices(cards, filter);
  // oxlint-disable-next-line no-underscore-dangle -- the router's name for the place in the history
  const entry = useLocation({ select: ({ state }) => state.__TSR_index });
  const current = useRef(entry);
  const shown = useRef(entry);
  current.current = entry;
  useEffect(() => {
    // A choice made here replaces the current history entry, whereas a link, or Back, leads to another entry with its
    // own filter.
    if (shown.current === current.current) return;
    shown.current = current.current;
    setFilter(searchToFilter(search));
  }, [search]);
  /** The filter is also in the address, so that it is still set after going back. */
  const show = (next: PracticeFilter): void => {
    setFilter(next);
    void navigate({ to: '/practise', search: filterToSearch(next), replace: true, resetScroll: false });
  };
  const set = (change: Partial<PracticeFilter>): void => show({ ...filter, ...change });
  const filterOptions = (anyLabel: string, values: readonly string[]): Option<string>[] => [
    { value: ANY_VALUE, label: anyLabel },
    ...explainOptions([...new Set(values)].map((value) => ({ value, label: value }))),
  ];
  const fromOption = (value: string): string | null => (value === ANY_VALUE ? null : value);
  return (
    <>
      <div className={css['filters']} role="search">
        <TextField
          label={t('Search')}
          placeholder={t('delay, interview, hotel…')}
          type="search"
          value={filter.search}
          onChange={(search) => set({ search })}
        />
        <Select
          label={t('Category')}
          value={filter.category ?? ANY_VALUE}
          onChange={(value) => set({ category: fromOption(value) })}
          options={filterOptions(
            t('Any category'),
            cards.map((card) => card.category),
          )}
        />
        <Select
          label={t('Level')}
          value={filter.level ?? ANY_VALUE}
          onChange={(value) => set({ level: ENGLISH_LEVELS.find((level) => level === value) ?? null })}
          options={[{ value: ANY_VALUE, label: t('Any level') }, ...toOptions(LEVEL_NAMES)]}
        />
        <Select
          label={t('Coach')}
          value={filter.coach ?? ANY_VALUE}
          onChange={(value) => set({ coach: fromOption(value) })}
          options={filterOptions(
            t('Any coach'),
            cards.map((card) => card.coachName),
          )}
        />
        <Select
          label={t('Length')}
          value={filter.maxMinutes === null ? ANY_VALUE : String(filter.maxMinutes)}
          onChange={(value) => set({ maxMinutes: value === ANY_VALUE ? null : Number(value) })}
          options={[
            { value: ANY_VALUE, label: t('Any length') },
            ...lengthsToChoose(cards).map((minutes) => ({
              value: String(minutes),
              label: t('Up to {minutes} min', { minutes }),
            })),
          ]}
        />
        <Select
          label={t('Style')}
          value={filter.style ?? ANY_VALUE}
          onChange={(value) => set({ style: PRACTICE_STYLE_FILTERS.find((style) => style === value) ?? null })}
          options={[{ value: ANY_VALUE, label: t('Any style') }, ...toOptions(STYLE_NAMES)]}
        />
      </div>
      <div role="status">
        {found.length === 0 ? (
          <EmptyState
            title={t('No practices match')}
            action={<Button onPress={() => show(NO_FILTER)}>{t('Show all practices')}</Button>}
          >
            {t('Try other words, or remove a filter.')}
          </EmptyState>
        ) : (
          <FoundCount count={found.length} />
        )}
      </div>
      {found.length > 0 && (
        <ul className={css['grid']}>
          {found.map((card) => (
            <li key={card.practiceId} style={{ display: 'grid' }}>
              <PracticeCardView card={card} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const FoundCount = ({ count }: { count: number }): ReactElement => (
  <h2 className={css['count']} ref={useLostFocus<HTMLHeadingElement>()} tabIndex={-1}>
    {t('{count, plural, one {# practice} other {# practices}}', { count })}
  </h2>
);
