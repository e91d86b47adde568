/**
 * The best point, one fix and one next step. A point about a sentence plays that part of the learner's own recording.
 */
import { t } from '@parley/i18n';
import type { ResultView } from '@parley/contract';
import {
  type Feedback,
  findWord,
  type LearnerTurn,
  MAX_SENTENCE_CHARACTERS,
  type PracticeId,
  readFeedbackText,
} from '@parley/domain';
import { Button, Icon, MutedText, PhonemeStrip, typographic } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import { useSpeaker } from '../../audio/index.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { canBeCompared, CompareSentence } from '../../shadowing/index.ts';
import { ModelVoiceRow } from '../feedback/turn-feedback.tsx';
import { drillForSound } from './drill-for-sound.ts';
import { findTurn, type ShownFeedback, showFeedback, wordTimeMs } from './feedback-sentence.ts';
import { markedWords, wordsOfSentence } from './words-of-sentence.ts';
import css from './result.module.css';

export function FeedbackPanel({ view, feedback }: { view: ResultView; feedback: Feedback }): ReactElement {
  const coachName = view.session.coach.name;
  return (
    <section className={css['feedback']} aria-label={t('Feedback')}>
      <Point title={t('What went well')} shown={showFeedback(feedback.best, view)} coachName={coachName} />
      <Fix view={view} stored={feedback.fix} />
      <NextStep view={view} stored={feedback.nextStep} />
    </section>
  );
}

/** The sentence, how both voices say it, and the sounds of the word that the point is about. */
function Fix({ view, stored }: { view: ResultView; stored: string }): ReactElement | null {
  const shown = showFeedback(stored, view);
  const { point } = readFeedbackText(stored);
  const turnId = point !== null && 'turnId' in point ? (point.turnId ?? null) : null;
  const turn = turnId === null ? null : findTurn(view, turnId);
  return (
    <Point title={t('One thing to work on')} shown={shown} coachName={view.session.coach.name} isMain>
      {turn !== null && shown.quote !== null && shown.clip !== null && (
        <FixedWord
          turn={turn}
          quote={shown.quote}
          clip={shown.clip}
          hint={shown.hint}
          // Before a pause, the sounds of a word explain nothing.
          hasSounds={point?.code === 'sound' || point?.code === 'word'}
        />
      )}
    </Point>
  );
}

function FixedWord(props: {
  turn: LearnerTurn;
  quote: NonNullable<ShownFeedback['quote']>;
  clip: NonNullable<ShownFeedback['clip']>;
  hint: string | null;
  hasSounds: boolean;
}): ReactElement {
  const { turn, quote, clip, hint, hasSounds } = props;
  const { assessment } = turn;
  const atMs = wordTimeMs(clip);
  const { words, marked } = useMemo(() => {
    const found = assessment === null ? null : wordsOfSentence(assessment.words, quote.text, atMs);
    return {
      words: found,
      marked: found === null || quote.word === null ? [] : markedWords(found, quote.word, atMs),
    };
  }, [assessment, quote.text, quote.word, atMs]);
  const sounds = hasSounds ? marked.flatMap(({ phonemes }) => phonemes) : [];
  return (
    <>
      {words !== null && canBeCompared(quote.text) ? (
        <CompareSentence text={quote.text} recordingId={clip.recordingId} words={words} shaded={marked} />
      ) : (
        <ModelVoiceRow text={quote.text.slice(0, MAX_SENTENCE_CHARACTERS)} />
      )}
      {(sounds.length > 0 || hint !== null) && (
        <div className={css['sounds']}>
          {sounds.length > 0 && <PhonemeStrip phonemes={sounds} />}
          {hint !== null && <MutedText>{hint}</MutedText>}
        </div>
      )}
    </>
  );
}

function Point(props: {
  title: string;
  shown: ShownFeedback;
  coachName: string;
  isMain?: boolean;
  children?: ReactNode;
}): ReactElement | null {
  const { title, shown, coachName, isMain = false, children } = props;
  if (shown.sentence === null && shown.coachText === null) return null;
  return (
    <div className={css['point']} data-main={isMain}>
      <h2>{title}</h2>
      {shown.quote !== null && <Quote shown={shown} quote={shown.quote} />}
      {shown.sentence !== null && <p>{shown.sentence}</p>}
      {children}
      {shown.coachText !== null &&
        (shown.sentence === null ? (
          <p>{typographic(shown.coachText)}</p>
        ) : (
          <p className={css['coachText']}>
            {coachName}: <span lang="en">{typographic(shown.coachText)}</span>
          </p>
        ))}
    </div>
  );
}

/** The sentence with the word marked. If there is a recording, it plays that part. */
function Quote({ shown, quote }: { shown: ShownFeedback; quote: NonNullable<ShownFeedback['quote']> }): ReactElement {
  const { client } = useHost();
  const speaker = useSpeaker();
  const { clip } = shown;
  const play = useMutation({
    mutationFn: async (place: NonNullable<typeof clip>) =>
      speaker.play(await client.recordings.read({ recordingId: place.recordingId }), { clip: place }),
  });
  const words = <MarkedWords quote={quote} />;
  if (clip === null) return <p className={css['quote']}>{words}</p>;
  return (
    <>
      <button type="button" className={css['quote']} onClick={() => play.mutate(clip)}>
        <Icon name="play" />
        <span>
          <span className={css['hidden']}>{t('Play what you said:')} </span>
          {words}
        </span>
      </button>
      {play.isError && <ErrorBanner error={play.error} />}
    </>
  );
}

function MarkedWords({ quote }: { quote: NonNullable<ShownFeedback['quote']> }): ReactElement {
  const { text, word, occurrence } = quote;
  const shown = text.length > MAX_SENTENCE_CHARACTERS ? `${text.slice(0, MAX_SENTENCE_CHARACTERS)} …` : text;
  const parts = shown.split(/(\s+)/);
  const all = word === null ? [] : findWord(word, parts);
  const runs = occurrence === null ? all : all.slice(occurrence, occurrence + 1);
  return (
    <span lang="en">
      {parts.map((part, index) =>
        runs.some(({ first, last }) => index >= first && index <= last) ? (
          // Words never change their position.
          <mark key={index}>{typographic(part)}</mark>
        ) : (
          typographic(part)
        ),
      )}
    </span>
  );
}

function NextStep({ view, stored }: { view: ResultView; stored: string }): ReactElement | null {
  const { point } = readFeedbackText(stored);
  const shown = showFeedback(stored, view);
  if (shown.sentence === null && shown.coachText === null) return null;
  return (
    <div className={css['point']}>
      <h2>{t('Your next step')}</h2>
      <p>{shown.sentence ?? typographic(shown.coachText ?? '')}</p>
      {point !== null && <NextStepButton view={view} point={point} />}
    </div>
  );
}

/** Leads to the catalogue if the practice has been withdrawn since. */
function OtherPracticeButton({ practiceId }: { practiceId: PracticeId }): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const practices = useQuery(queries.catalogue.practices.queryOptions()).data ?? [];
  const card = practices.find((each) => each.practiceId === practiceId && each.state === 'ready');
  return (
    <Button
      variant="primary"
      onPress={() =>
        void (card === undefined
          ? navigate({ to: '/practise' })
          : navigate({ to: '/practise/$practiceId', params: { practiceId } }))
      }
    >
      {card === undefined ? t('Choose a practice') : t('Open “{title}”', { title: card.title })}
    </Button>
  );
}

type Point = NonNullable<ReturnType<typeof readFeedbackText>['point']>;

function NextStepButton({ view, point }: { view: ResultView; point: Point }): ReactElement | null {
  const navigate = useNavigate();
  const { practiceId, sessionId } = view.session;
  const briefing = (search: { difficulty?: 'easy' | 'intermediate' | 'hard' }) =>
    navigate({ to: '/practise/$practiceId', params: { practiceId }, search });
  switch (point.code) {
    case 'review_words': {
      const { words } = point;
      return (
        <Button
          variant="speak"
          large
          icon="microphone"
          onPress={() => void navigate({ to: '/review', search: { words } })}
        >
          {t('{count, plural, one {Review one word} other {Review # words}}', { count: words.length })}
        </Button>
      );
    }
    case 'drill_sound': {
      const text = drillForSound(point.sound);
      return (
        <Button
          variant="speak"
          large
          icon="microphone"
          onPress={() =>
            void (text === null ? navigate({ to: '/drills' }) : navigate({ to: '/drills/say', search: { text } }))
          }
        >
          {t('Drill this sound')}
        </Button>
      );
    }
    case 'practice_with_sound':
      return <OtherPracticeButton practiceId={point.practiceId} />;
    case 'shadow': {
      const turn = findTurn(view, point.turnId);
      if (turn === null || turn.text === '') return null;
      const search = { text: turn.text, session: sessionId, turn: turn.turnId };
      return (
        <Button variant="speak" large icon="microphone" onPress={() => void navigate({ to: '/shadow', search })}>
          {t('Shadow this sentence')}
        </Button>
      );
    }
    case 'say_better': {
      const text = view.feedback?.corrections?.[point.index]?.better;
      if (text === undefined) return null;
      return (
        <Button
          variant="speak"
          large
          icon="microphone"
          onPress={() => void navigate({ to: '/shadow', search: { text } })}
        >
          {t('Say it after the model')}
        </Button>
      );
    }
    case 'harder':
      return (
        <Button variant="primary" onPress={() => void briefing({ difficulty: point.difficulty })}>
          {t('Practise one level harder')}
        </Button>
      );
    case 'again':
    case 'by_voice':
      return (
        <Button variant="primary" icon="redo" onPress={() => void briefing({})}>
          {t('Practise again')}
        </Button>
      );
    case 'another_practice':
      return (
        <Button variant="primary" onPress={() => void navigate({ to: '/practise' })}>
          {t('Choose a practice')}
        </Button>
      );
    case 'check_microphone':
      return (
        <Button variant="primary" onPress={() => void navigate({ to: '/microphone', search: {} })}>
          {t('Check the microphone')}
        </Button>
      );
    default:
      return null;
  }
}
