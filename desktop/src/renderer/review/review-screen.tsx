/** Review: what is due today, and all words that went wrong. */
import { formatList, t } from '@parley/i18n';
import { joinSentences } from '@parley/domain';
import type { DueReview, ReviewWord } from '@parley/contract';
import { Button, EmptyState, MutedText } from '@parley/ui';
import { skipToken, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import css from './review.module.css';
import { ReviewSession } from './review-session.tsx';
import { WordList } from './word-list.tsx';

export function ReviewScreen(): ReactElement {
  const { client, queries } = useHost();
  const navigate = useNavigate();
  const { words } = useSearch({ from: '/review' });
  // A review keeps the cards with which it began, although each grade changes what is due.
  const [cards, setCards] = useState<readonly ReviewWord[] | null>(null);
  const due = useQuery(queries.review.due.queryOptions());
  const settings = useQuery(queries.settings.read.queryOptions());
  // Outside the keys that a grade invalidates, because these cards have to stay as well.
  const chosen = useQuery({
    queryKey: ['chosen-review', words],
    queryFn: words === undefined ? skipToken : () => client.review.cards({ words }),
  });
  // The words may have left the list since another screen suggested them.
  const shown = cards ?? (chosen.data?.cards.length === 0 ? null : (chosen.data?.cards ?? null));
  const leave = (): void => {
    setCards(null);
    if (words !== undefined) void navigate({ to: '/review', search: {} });
  };
  if (shown !== null && settings.data !== undefined)
    return <ReviewSession cards={shown} settings={settings.data.device} onLeave={leave} />;
  return (
    <Screen title={t('Review')}>
      <QueryView query={due} loadingLabel={t('Loading your review')}>
        {(view) => (
          <>
            <DueToday due={view} onStart={() => setCards(view.cards)} />
            <WordList />
          </>
        )}
      </QueryView>
    </Screen>
  );
}

function DueToday({ due, onStart }: { due: DueReview; onStart: () => void }): ReactElement {
  const [first] = due.cards;
  if (first === undefined)
    return (
      <EmptyState title={t('Nothing to review now')} action={<Link to="/practise">{t('Choose a practice')}</Link>}>
        {due.reviewedToday > 0
          ? t('You’re done for today. Words come back when it’s time.')
          : t('Words you find hard turn up here after you speak.')}
      </EmptyState>
    );
  return (
    <section className={css['due']} aria-label={t('Due today')}>
      <p className={css['dueWords']} lang="en">
        {formatList(due.cards.map(({ word }) => word))}
      </p>
      <MutedText>
        {joinSentences(t, [
          t('{total, plural, one {# word is due.} other {# words are due.}}', { total: due.total }),
          ...(due.total > due.cards.length
            ? [
                t('{count, plural, one {A review takes # word at a time.} other {A review takes # words at a time.}}', {
                  count: due.cards.length,
                }),
              ]
            : []),
        ])}
      </MutedText>
      <Button variant="speak" large icon="microphone" autoFocus onPress={onStart}>
        {t('{count, plural, one {Review one word} other {Review # words}}', { count: due.cards.length })}
      </Button>
    </section>
  );
}
