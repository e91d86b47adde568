/** Shadowing: choose a sentence from a session or bring a text, then say it after the model. */
import { t } from '@parley/i18n';
import { type LearnerTurn, sentencesOf, SessionId, type Turn, TurnId } from '@parley/domain';
import { MutedText, typographic } from '@parley/ui';
import { skipToken, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useId } from 'react';
import { MAX_SHADOWING_CHARACTERS } from '@parley/contract';
import { useHost } from '../foundation/host/host-context.tsx';
import { OwnText } from '../foundation/screen/own-text.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import type { OwnRecording } from './compare-voices.tsx';
import { ShadowPractice } from './shadow-practice.tsx';
import css from './shadowing.module.css';
import { practiceTitle } from '../foundation/sentences/practice-title.ts';

export function ShadowScreen(): ReactElement {
  const { queries } = useHost();
  const search = useSearch({ from: '/shadow' });
  const settings = useQuery(queries.settings.read.queryOptions());
  const sentences = sentencesOf(search.text ?? '', MAX_SHADOWING_CHARACTERS);
  const isOneText = search.text !== undefined && search.text.length <= MAX_SHADOWING_CHARACTERS;
  const text = isOneText ? search.text : undefined;
  const said = useSaid(search);
  return (
    <Screen
      title={t('Shadowing')}
      intro={t('Say it after the model, and see both voices word by word.')}
      action={text !== undefined && <Link to="/shadow">{t('Choose another text')}</Link>}
    >
      {text === undefined ? (
        <>
          {sentences.length > 0 && (
            <Sentences title={t('Your text')} sentences={sentences.map((each) => ({ text: each }))} />
          )}
          <OwnSentence />
          <SessionSentences sessionId={search.session ?? null} />
        </>
      ) : (
        <QueryView query={settings} loadingLabel={t('Loading')}>
          {({ device }) => <ShadowPractice key={text} text={text} settings={device} said={said} />}
        </QueryView>
      )}
    </Screen>
  );
}

/** The learner's own recording of a turn, if the address names one. */
function useSaid({
  session,
  turn,
}: {
  session?: SessionId | undefined;
  turn?: TurnId | undefined;
}): OwnRecording | null {
  const { queries } = useHost();
  const isNamed = session !== undefined && turn !== undefined;
  const result = useQuery(
    queries.practice.result.queryOptions({ input: isNamed ? { sessionId: session } : skipToken }),
  );
  const found = result.data?.session.turns.find(
    (each): each is LearnerTurn => each.role === 'learner' && each.turnId === turn,
  );
  if (found === undefined || found.recordingId === null || found.assessment === null) return null;
  return { recordingId: found.recordingId, assessment: found.assessment };
}

function OwnSentence(): ReactElement {
  const navigate = useNavigate();
  return (
    <OwnText
      description={t('Paste or type English text. A long text is split into sentences.')}
      startLabel={t('Shadow this')}
      onStart={(text) => void navigate({ to: '/shadow', search: { text } })}
    />
  );
}

interface Sentence {
  text: string;
  session?: SessionId;
  turn?: TurnId;
  isOwn?: boolean;
}

/** Shows the session that the address names, or the latest one. */
function SessionSentences({ sessionId }: { sessionId: SessionId | null }): ReactElement | null {
  const { queries } = useHost();
  const latest = useQuery(
    queries.history.list.queryOptions({ input: sessionId === null ? { search: '', offset: 0, limit: 1 } : skipToken }),
  );
  const shown = sessionId ?? latest.data?.items[0]?.sessionId ?? null;
  const result = useQuery(
    queries.practice.result.queryOptions({ input: shown === null ? skipToken : { sessionId: shown } }),
  );
  if (result.data === undefined) return null;
  const { turns, title } = result.data.session;
  const sentences = turns.flatMap((turn) => sentencesOfTurn(turn, shown));
  if (sentences.length === 0) return null;
  return <Sentences title={practiceTitle(title)} isTitleEnglish={title !== null} sentences={sentences} />;
}

/** The learner's recording stays whole, because it is compared as a whole. */
function sentencesOfTurn(turn: Turn, session: SessionId | null): Sentence[] {
  if (turn.role === 'coach') return sentencesOf(turn.text, MAX_SHADOWING_CHARACTERS).map((text) => ({ text }));
  const isWhole = turn.text.trim() !== '' && turn.text.length <= MAX_SHADOWING_CHARACTERS;
  if (!isWhole) return sentencesOf(turn.text, MAX_SHADOWING_CHARACTERS).map((text) => ({ text, isOwn: true }));
  return [{ text: turn.text, isOwn: true, turn: turn.turnId, ...(session === null ? {} : { session }) }];
}

interface SentencesProps {
  title: string;
  /** A practice's title is in English in every language. */
  isTitleEnglish?: boolean;
  sentences: readonly Sentence[];
}

function Sentences({ title, isTitleEnglish = false, sentences }: SentencesProps): ReactElement {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} lang={isTitleEnglish ? 'en' : undefined}>
        {title}
      </h2>
      <ul className={css['sentences']}>
        {sentences.map(({ text, session, turn, isOwn = false }, index) => (
          // A sentence may occur twice.
          <li key={index} data-own={isOwn}>
            <Link
              to="/shadow"
              search={{ text, ...(session === undefined ? {} : { session }), ...(turn === undefined ? {} : { turn }) }}
              lang="en"
            >
              {typographic(text)}
            </Link>
            {isOwn && <MutedText small>{t('You')}</MutedText>}
          </li>
        ))}
      </ul>
    </section>
  );
}
