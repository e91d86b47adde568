/** Review: what is due today, and all words that went wrong. */
import { t } from '@parley/i18n';
import { joinSentences } from '@parley/domain';
import type { DueReview } from '@parley/contract';
import { Button, EmptyState, MutedText, typographic } from '@parley/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { useChooseMicrophone } from '../audio/index.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import css from './review.module.css';
import { type ReviewProgress, startReview } from './review-progress.ts';
import { ReviewSession } from './review-session.tsx';
import { WordList } from './word-list.tsx';

export function ReviewScreen(): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const { words } = useSearch({ from: '/review' });
  // A review keeps the cards with which it began, although each grade changes what is due.
  const [running, setRunning] = useState(useHeldReview(words));
  const due = useQuery(queries.review.due.queryOptions());
  const leave = (): void => {
    setRunning(null);
    if (words !== undefined) void navigate({ to: '/review', search: {} });
  };
  if (running !== null) return <ReviewOf initial={running} onLeave={leave} />;
  const ordinary = (
    <Screen title={t('Review')}>
      <QueryView query={due} loadingLabel={t('Loading your review')}>
        {(view) => (
          <>
            <DueToday due={view} onStart={() => setRunning(startReview(view.cards))} />
            <WordList />
          </>
        )}
      </QueryView>
    </Screen>
  );
  return words === undefined ? ordinary : <ChosenReview words={words} onLeave={leave} whenNoneIsListed={ordinary} />;
}

/** A review of words that another screen suggested; they may have left the list since. */
export function ChosenReview(props: {
  words: readonly string[];
  onLeave: () => void;
  whenNoneIsListed: ReactElement;
}): ReactElement {
  const { client } = useHost();
  const { words, onLeave, whenNoneIsListed } = props;
  const chosen = useQuery({
    // Outside the keys that a grade invalidates, because the cards must not change until the review is left.
    queryKey: ['chosen-review', words],
    queryFn: () => client.review.cards({ words: [...words] }),
    gcTime: 0,
  });
  if (chosen.data === undefined)
    return (
      <Screen title={t('Review')}>
        <QueryView query={chosen} loadingLabel={t('Loading your review')}>
          {() => null}
        </QueryView>
      </Screen>
    );
  const { cards } = chosen.data;
  return cards.length === 0 ? whenNoneIsListed : <ReviewOf initial={startReview(cards)} onLeave={onLeave} />;
}

const HELD_REVIEW = ['held-review'];

interface HeldReview {
  progress: ReviewProgress;
  /** The words in the address, if it names any. */
  words: readonly string[] | undefined;
}

/** The review at this address that was left to choose a microphone, if any. It is resumed once. */
function useHeldReview(words: readonly string[] | undefined): ReviewProgress | null {
  const cache = useQueryClient();
  useEffect(() => cache.removeQueries({ queryKey: HELD_REVIEW }), [cache]);
  const held = cache.getQueryData<HeldReview>(HELD_REVIEW);
  return JSON.stringify(held?.words) === JSON.stringify(words) ? (held?.progress ?? null) : null;
}

function ReviewOf(props: { initial: ReviewProgress; onLeave: () => void }): ReactElement {
  const cache = useQueryClient();
  const chooseMicrophone = useChooseMicrophone();
  const { words } = useSearch({ from: '/review' });
  const hold = (progress: ReviewProgress): void => {
    cache.setQueryDefaults(HELD_REVIEW, { gcTime: Infinity });
    cache.setQueryData<HeldReview>(HELD_REVIEW, { progress, words });
    chooseMicrophone();
  };
  const settings = useQuery(useHost().queries.settings.read.queryOptions());
  return (
    <QueryView query={settings} loadingLabel={t('Loading your review')}>
      {({ device }) => <ReviewSession {...props} settings={device} onChooseMicrophone={hold} />}
    </QueryView>
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
        {typographic(due.cards.map(({ word }) => word).join(', '))}
      </p>
      <MutedText>
        {joinSentences(t, [
          t('{total, plural, one {# word is due.} other {# words are due.}}', { total: due.total }),
          ...(due.total > due.cards.length
            ? [
                t(
                  '{count, plural, one {A review covers # word at a time.} other {A review covers # words at a time.}}',
                  {
                    count: due.cards.length,
                  },
                ),
              ]
            : []),
        ])}
      </MutedText>
      <Button variant="speak" large icon="microphone" onPress={onStart}>
        {t('{count, plural, one {Review one word} other {Review # words}}', { count: due.cards.length })}
      </Button>
    </section>
  );
}
