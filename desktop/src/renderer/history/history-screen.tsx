/** Every session on this device, found by what was said. */
import type { HistoryItem } from '@parley/contract';
import { Avatar, Badge, EmptyState, Quiet, ScoreRing, TextField } from '@parley/ui';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner, Screen } from '../app/screen.tsx';
import css from './history.module.css';

const PAGE = 60;
const ITEM_HEIGHT = 84;

export function HistoryScreen(): ReactElement {
  const { queries } = useHost();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed);
  const history = useInfiniteQuery(
    queries.history.list.infiniteOptions({
      input: (offset: number) => ({ search, offset, limit: PAGE }),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => {
        const loaded = pages.reduce((sum, page) => sum + page.items.length, 0);
        return loaded < last.total ? loaded : undefined;
      },
      placeholderData: keepPreviousData,
    }),
  );
  const items = history.data?.pages.flatMap((page) => page.items) ?? [];
  const total = history.data?.pages[0]?.total ?? 0;
  return (
    <Screen title="History" intro="Your sessions stay on this computer and open without internet.">
      <TextField
        label="Search what was said"
        placeholder="Tuesday, supplier, deadline …"
        type="search"
        value={typed}
        onChange={setTyped}
      />
      {history.isError && <FailureBanner error={history.error} onRetry={() => void history.refetch()} />}
      {history.isSuccess && total === 0 && (
        <EmptyState
          title={search === '' ? 'No sessions yet' : 'Nothing found'}
          action={search === '' ? <Link to="/practise">Choose your first practice</Link> : undefined}
        >
          {search === ''
            ? 'After your first practice you find it here, with everything you said.'
            : `Nobody said “${search}” in your sessions.`}
        </EmptyState>
      )}
      {total > 0 && (
        <>
          <Quiet small>
            <span role="status">{total === 1 ? '1 session' : `${total} sessions`}</span>
          </Quiet>
          <Sessions items={items} loadMore={history.hasNextPage ? () => void history.fetchNextPage() : null} />
        </>
      )}
    </Screen>
  );
}

function Sessions({ items, loadMore }: { items: readonly HistoryItem[]; loadMore: (() => void) | null }): ReactElement {
  const list = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => list.current,
    estimateSize: () => ITEM_HEIGHT,
    overscan: 8,
  });
  const rows = virtual.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (loadMore !== null && lastShown >= items.length - 1) loadMore();
  }, [lastShown, items.length, loadMore]);
  return (
    <div ref={list} className={css['list']} tabIndex={0} role="region" aria-label="Sessions">
      <div className={css['space']} style={{ height: virtual.getTotalSize() }}>
        {rows.map((row) => {
          const item = items[row.index];
          return item === undefined ? null : <Session key={item.sessionId} item={item} top={row.start} />;
        })}
      </div>
    </div>
  );
}

const dateOf = (date: Date): string => date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

function Session({ item, top }: { item: HistoryItem; top: number }): ReactElement {
  const isOpen = item.status === 'in_progress';
  return (
    <Link
      to={isOpen ? '/session/$sessionId' : '/session/$sessionId/result'}
      params={{ sessionId: item.sessionId }}
      className={css['item']}
      style={{ transform: `translateY(${top}px)` }}
    >
      <Avatar src={item.coachAvatarUrl} />
      <div style={{ minWidth: 0 }}>
        <h2 className={css['title']}>{item.title}</h2>
        <p className={css['quiet']}>
          {item.excerpt === null
            ? `${dateOf(item.startedAt)} · ${Math.max(1, Math.round(item.durationS / 60))} min · ${item.coachName}`
            : `… ${item.excerpt} …`}
        </p>
      </div>
      {isOpen ? <Badge>not finished</Badge> : item.communicationStyle === 'text' ? <Badge>in writing</Badge> : <span />}
      <ScoreRing score={item.overall} label="Overall" size={52} />
    </Link>
  );
}
