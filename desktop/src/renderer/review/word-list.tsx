/** All of the learner's words: search, trend, add manually, mark as learned or review again, remove, and undo. */
import { t } from '@parley/i18n';
import type { ListedWord } from '@parley/contract';
import { Badge, Banner, Button, IconButton, MutedText, TextField, typographic } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useDeferredValue, useRef, useState } from 'react';
import { useSpeaker } from '../audio/index.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { ChangeNotice } from '../foundation/screen/change-notice.tsx';
import { ErrorBanner, QueryView } from '../foundation/screen/screen.tsx';
import { formatDay } from './format-day.ts';
import { OwnClip } from './own-clip.tsx';
import { Trend } from './word-trend.tsx';
import css from './review.module.css';

/** The learner's most recent decision about a word. */
interface Decision {
  word: string;
  as: 'added' | 'learned' | 'removed';
  attemptId: string;
}

export function WordList(): ReactElement {
  const { queries } = useHost();
  const [decision, setDecision] = useState<Decision | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [searchText, setSearchText] = useState('');
  const search = useDeferredValue(searchText);
  const list = useQuery(queries.review.words.queryOptions({ input: { search } }));
  return (
    <section className={css['words']} aria-labelledby="all-words">
      <h2 id="all-words" ref={heading} tabIndex={-1}>
        {t('Your words')}
      </h2>
      <div className={css['tools']}>
        <TextField label={t('Find a word')} type="search" value={searchText} onChange={setSearchText} maxLength={80} />
        <AddWord onAdded={setDecision} />
      </div>
      {decision !== null && (
        <DecisionBanner
          key={decision.attemptId}
          decision={decision}
          onUndone={() => {
            setDecision(null);
            heading.current?.focus();
          }}
        />
      )}
      <QueryView query={list} loadingLabel={t('Loading your words')}>
        {({ words, total }) =>
          words.length === 0 ? (
            <MutedText>{search.trim() === '' ? t('No words yet.') : t('That word isn’t on your list.')}</MutedText>
          ) : (
            <>
              <ul className={css['list']} aria-label={t('Your words')}>
                {words.map((word) => (
                  <Word key={word.word} word={word} onMarked={setDecision} />
                ))}
              </ul>
              {total > words.length && <MutedText small>{t('Search to find the other words.')}</MutedText>}
            </>
          )
        }
      </QueryView>
    </section>
  );
}

function DecisionBanner({ decision, onUndone }: { decision: Decision; onUndone: () => void }): ReactElement {
  const { client } = useHost();
  const { word, as, attemptId } = decision;
  const undo = useMutation({ mutationFn: () => client.review.undo({ attemptId }), onSuccess: onUndone });
  return (
    <>
      <Banner
        action={
          <Button onPress={() => undo.mutate()} isDisabled={undo.isPending}>
            {t('Undo')}
          </Button>
        }
      >
        {/* The button that removed a word disappears with it. */}
        <ChangeNotice autoFocus={as === 'removed'}>{decisionSentence(typographic(word), as)}</ChangeNotice>
      </Banner>
      {undo.isError && <ErrorBanner error={undo.error} />}
    </>
  );
}

function decisionSentence(word: string, as: Decision['as']): string {
  switch (as) {
    case 'added':
      return t('“{word}” is on your list.', { word });
    case 'learned':
      return t('“{word}” is marked as learned.', { word });
    case 'removed':
      return t('“{word}” is off your list.', { word });
  }
}

function AddWord({ onAdded }: { onAdded: (decision: Decision) => void }): ReactElement {
  const { client } = useHost();
  const [text, setText] = useState('');
  const add = useMutation({
    mutationFn: async (word: string) => ({ word, ...(await client.review.add({ word, sentence: null })) }),
    onSuccess: (added) => {
      setText('');
      onAdded({ ...added, as: 'added' });
    },
  });
  const isEmpty = text.trim() === '';
  const submit = (): void => {
    if (!isEmpty && !add.isPending) add.mutate(text.trim());
  };
  return (
    <div className={css['add']}>
      <TextField label={t('Add a word')} value={text} onChange={setText} onSubmit={submit} maxLength={80} />
      <Button onPress={submit} isDisabled={isEmpty || add.isPending}>
        {t('Add')}
      </Button>
      {add.isError && <ErrorBanner error={add.error} />}
    </div>
  );
}

export const STATUS_NAMES: Partial<Record<ListedWord['status'], string>> = {
  graduated: t('Clear on two days'),
  learned: t('Learned'),
};

const formatDue = (due: Date): string =>
  due.getTime() <= Date.now() ? t('due now') : t('due {due}', { due: formatDay(due) });

function Word({ word, onMarked }: { word: ListedWord; onMarked: (decision: Decision) => void }): ReactElement {
  const { client } = useHost();
  const speaker = useSpeaker();
  const mark = useMutation({
    mutationFn: async (as: Decision['as']) => ({
      word: word.word,
      as,
      ...(as === 'added'
        ? await client.review.add({ word: word.word, sentence: word.sentence })
        : await client.review.mark({ word: word.word, as })),
    }),
    onSuccess: onMarked,
  });
  const status = STATUS_NAMES[word.status];
  return (
    <li className={css['item']}>
      <button
        type="button"
        className={css['itemWord']}
        lang="en"
        aria-label={t('{word}, hear it', { word: typographic(word.word) })}
        onClick={() => void speaker.speak(word.word)}
      >
        {typographic(word.word)}
      </button>
      <span className={css['itemIpa']}>{word.ipa === '' ? '' : `/${word.ipa}/`}</span>
      <Trend word={word} />
      <span className={css['itemState']}>
        {status !== undefined ? (
          <Badge>{status}</Badge>
        ) : (
          word.due !== null && <MutedText small>{formatDue(word.due)}</MutedText>
        )}
      </span>
      <div className={css['itemActions']}>
        <OwnClip word={word.word} latest={word.latest} />
        {word.status === 'listed' ? (
          <Button variant="quiet" icon="check" onPress={() => mark.mutate('learned')}>
            {t('Mark as learned')}
          </Button>
        ) : (
          <Button variant="quiet" icon="redo" onPress={() => mark.mutate('added')}>
            {t('Review it again')}
          </Button>
        )}
        <IconButton
          icon="close"
          label={t('Remove “{word}”', { word: typographic(word.word) })}
          onPress={() => mark.mutate('removed')}
        />
      </div>
      {mark.isError && <ErrorBanner error={mark.error} />}
    </li>
  );
}
