/** The list of all sessions, searchable by what was said. */
import { formatLocale, t } from '@parley/i18n';
import type { HistoryItem } from '@parley/contract';
import type { SessionId } from '@parley/domain';
import {
  Badge,
  Banner,
  Button,
  EmptyState,
  IconButton,
  MutedText,
  Portrait,
  ScoreNumber,
  TextField,
  typographic,
} from '@parley/ui';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, type RefObject, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ChangeNotice } from '../foundation/screen/change-notice.tsx';
import { ErrorBanner, Screen } from '../foundation/screen/screen.tsx';
import css from './history.module.css';
import { practiceTitle } from '../foundation/sentences/practice-title.ts';
import { useDeleteSession } from './use-delete-session.ts';

const PAGE_SIZE = 60;
const ITEM_HEIGHT_PX = 84;

export function HistoryScreen(): ReactElement {
  const { queries } = useHost();
  const [searchText, setSearchText] = useState('');
  const search = useDeferredValue(searchText);
  const history = useInfiniteQuery(
    queries.history.list.infiniteOptions({
      input: (offset: number) => ({ search, offset, limit: PAGE_SIZE }),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => {
        const loaded = pages.reduce((sum, page) => sum + page.items.length, 0);
        return loaded < last.total ? loaded : undefined;
      },
      placeholderData: keepPreviousData,
    }),
  );
  const list = useRef<HTMLDivElement>(null);
  const { lastDeleted, failure, ...deletion } = useDeleteSession({ onRestored: () => list.current?.focus() });
  const items = history.data?.pages.flatMap((page) => page.items) ?? [];
  const { total = 0, unsearched = 0 } = history.data?.pages[0] ?? {};
  return (
    <Screen title={t('History')} intro={t('Sessions on this computer open without internet.')}>
      <TextField
        label={t('Search what was said')}
        placeholder={t('Tuesday, supplier, deadline…')}
        type="search"
        value={searchText}
        onChange={setSearchText}
      />
      {lastDeleted !== undefined && (
        <Banner
          action={
            <Button onPress={() => deletion.restore(lastDeleted)} isDisabled={deletion.isRestoring}>
              {t('Undo')}
            </Button>
          }
        >
          <ChangeNotice key={lastDeleted.sessionId} autoFocus>
            {t('“{title}” is deleted.', { title: practiceTitle(lastDeleted.title) })}
          </ChangeNotice>
        </Banner>
      )}
      {failure !== null && <ErrorBanner error={failure} />}
      {history.isError && <ErrorBanner error={history.error} onRetry={() => void history.refetch()} />}
      {unsearched > 0 && (
        <Banner>
          {t(
            '{unsearched, plural, one {# session isn’t on this device yet, so only its title was searched.} other {# sessions aren’t on this device yet, so only their titles were searched.}}',
            { unsearched },
          )}
        </Banner>
      )}
      {history.isSuccess && total === 0 && (
        <EmptyState
          title={search === '' ? t('No sessions yet') : t('Nothing found')}
          action={search === '' ? <Link to="/practise">{t('Choose your first practice')}</Link> : undefined}
        >
          {search === ''
            ? t('After your first practice, you’ll find it here, with everything you said.')
            : t('Nothing in your sessions matches “{search}”.', { search })}
        </EmptyState>
      )}
      {total > 0 && (
        <>
          <MutedText small>
            <span role="status">{t('{total, plural, one {# session} other {# sessions}}', { total })}</span>
          </MutedText>
          <Sessions
            ref={list}
            items={items}
            deleting={deletion.deleting}
            onDelete={deletion.remove}
            loadMore={history.hasNextPage ? () => void history.fetchNextPage() : null}
          />
        </>
      )}
    </Screen>
  );
}

interface SessionsProps {
  ref: RefObject<HTMLDivElement | null>;
  items: readonly HistoryItem[];
  deleting: readonly SessionId[];
  onDelete: (item: HistoryItem) => void;
  loadMore: (() => void) | null;
}

function Sessions({ ref: list, items, deleting, onDelete, loadMore }: SessionsProps): ReactElement {
  const navigate = useNavigate();
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => list.current,
    estimateSize: () => ITEM_HEIGHT_PX,
    overscan: 8,
  });
  const rows = virtual.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (loadMore !== null && lastShown >= items.length - 1) loadMore();
  }, [lastShown, items.length, loadMore]);
  return (
    <div ref={list} className={css['list']} tabIndex={0} role="region" aria-label={t('Sessions')}>
      <div className={css['space']} style={{ height: virtual.getTotalSize() }}>
        {rows.map((row) => {
          const item = items[row.index];
          return item === undefined ? null : (
            <div
              key={item.sessionId}
              className={css['row']}
              style={{ transform: `translateY(${row.start}px)` }}
              data-is-leaving={deleting.includes(item.sessionId) || undefined}
            >
              <Session item={item} />
              {item.status !== 'in_progress' && (
                <>
                  <IconButton
                    icon="drill"
                    label={t('Shadow a sentence from “{title}”', { title: practiceTitle(item.title) })}
                    onPress={() => void navigate({ to: '/shadow', search: { session: item.sessionId } })}
                  />
                  <IconButton
                    icon="close"
                    label={t('Delete “{title}”', { title: practiceTitle(item.title) })}
                    onPress={() => onDelete(item)}
                  />
                </>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const formatSessionDate = (date: Date): string =>
  date.toLocaleString(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' });

function Session({ item }: { item: HistoryItem }): ReactElement {
  const isOpen = item.status === 'in_progress' && !item.isBeingScored;
  return (
    <Link
      to={isOpen ? '/session/$sessionId' : '/session/$sessionId/result'}
      params={{ sessionId: item.sessionId }}
      className={css['item']}
    >
      <Portrait name={item.coachName} imageUrl={item.coachAvatarUrl} />
      <div style={{ minWidth: 0 }}>
        <h2 className={css['title']}>
          <span lang={item.title === null ? undefined : 'en'}>{practiceTitle(item.title)}</span>
        </h2>
        <p className={css['quiet']}>
          <SessionDetails item={item} />
        </p>
      </div>
      {isOpen ? (
        <Badge>{t('not finished')}</Badge>
      ) : item.isBeingScored ? (
        <Badge>{t('scores pending')}</Badge>
      ) : !item.isDownloaded ? (
        <Badge>{t('not downloaded yet')}</Badge>
      ) : item.communicationStyle === 'text' ? (
        <Badge>{t('in writing')}</Badge>
      ) : (
        <span />
      )}
      <ScoreNumber score={item.overall} label={t('Overall')} />
    </Link>
  );
}

export function SessionDetails({ item }: { item: HistoryItem }): ReactElement | string {
  if (item.excerpt !== null) return <span lang="en">{typographic(item.excerpt)}</span>;
  return t('{startedAt} · {value} min · {coachName}', {
    startedAt: formatSessionDate(item.startedAt),
    // Rounded to tenths first, as in Progress, so that 88 seconds are 2 minutes in both.
    value: Math.max(1, Math.round(Math.round(item.durationS / 6) / 10)),
    coachName: item.coachName,
  });
}
