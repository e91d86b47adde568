/** The contents of Today: continue a session, answer a suggested practice, the courses and the week. */
import { t } from '@parley/i18n';
import type { PracticeCard, TodayView } from '@parley/contract';
import { joinSentences } from '@parley/domain';
import { Banner, Button, coachColor, cx, MutedText, Portrait, Row, scoreBand, typographic } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactElement, Suspense } from 'react';
import { PracticeCardView, PracticeCover, PracticeFacts } from '../catalogue/index.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { Explanation } from '../foundation/language/explanations.tsx';
import { practiceTitle } from '../foundation/sentences/practice-title.ts';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { suggestionSentence } from '../foundation/sentences/suggestion-sentence.ts';
import { LevelSuggestion } from './level-suggestion.tsx';
import { otherPractices } from './other-practices.ts';
import { AssignedCourses, NextInCourse } from './today-courses.tsx';
import { WeekChart } from './week-chart.tsx';
import css from './today.module.css';

/** Few learners ever see it, so it is not loaded before the screen. */
const PlanWarning = lazy(async () => ({ default: (await import('./plan-warning.tsx')).PlanWarning }));

export function TodayContent({ view }: { view: TodayView }): ReactElement {
  return (
    <>
      <Suspense>
        <PlanWarning />
      </Suspense>
      <GettingStarted />
      <div className={css['columns']}>
        <div className={css['main']}>
          {view.wordsDue > 0 && <WordsDue view={view} />}
          {view.unfinished !== null && <UnfinishedSession session={view.unfinished} />}
          {view.suggested !== null && <SuggestedPractice suggested={view.suggested} />}
          <AssignedCourses assignments={view.assignments} />
          <OtherPractices suggested={view.suggested?.practiceId ?? null} />
        </div>
        <aside className={css['aside']} aria-label={t('Your courses and your week')}>
          {view.levelSuggestion !== null && <LevelSuggestion suggestion={view.levelSuggestion} />}
          <NextInCourse courses={view.courses} />
          {view.hasPractised || view.unfinished !== null ? <WeekSummary view={view} /> : <HowItWorks />}
          {view.hasPractised && view.wordsDue === 0 && <NothingDue hasWords={view.wordsToTrain.length > 0} />}
        </aside>
      </div>
    </>
  );
}

/**
 * Shown to learners who have not completed the setup, however much they have practised, and to learners without access.
 */
function GettingStarted(): ReactElement | null {
  const { queries } = useHost();
  const navigate = useNavigate();
  const profile = useQuery(queries.settings.read.queryOptions()).data?.profile;
  const state = useQuery(queries.account.state.queryOptions()).data;
  if (state?.liveAccess === 'waiting')
    return (
      <Banner action={<Button onPress={() => void navigate({ to: '/waiting' })}>{t('See what happens next')}</Button>}>
        {t(
          'You can talk freely with a coach once your access is approved. Guided practices, drills and review work now.',
        )}
      </Banner>
    );
  if (state?.liveAccess === 'taken')
    return (
      <Banner
        tone="warn"
        action={<Button onPress={() => void navigate({ to: '/waiting' })}>{t('See what you can do')}</Button>}
      >
        {t('Your school has ended your access to live coaches. Guided practices, drills and review still work.')}
      </Banner>
    );
  if (profile === undefined || profile.hasSeenOnboarding) return null;
  return (
    <Row spread>
      <div>
        <h2>{t('Help Parley choose')}</h2>
        <MutedText>
          {t(
            'Answer a few questions, and Parley will choose practices that fit your work and your English. It takes two minutes, and you can skip it.',
          )}
        </MutedText>
      </div>
      <Button onPress={() => void navigate({ to: '/welcome', search: { step: 1 } })}>{t('Set up Parley')}</Button>
    </Row>
  );
}

/** Shown before the first practice is begun, while there is no week to show. */
function HowItWorks(): ReactElement {
  const facts = [
    [t('You talk. Somebody answers.'), t('Take your time. There’s no hurry.')],
    [t('Every word you say is scored.'), t('With or without internet.')],
    [t('What was hard comes back.'), t('In Review, a few minutes a day, in your own sentences.')],
  ];
  return (
    <section className={css['section']}>
      <h2>{t('How this works')}</h2>
      {facts.map(([title, text]) => (
        <div key={title}>
          <h3>{title}</h3>
          <MutedText>{text}</MutedText>
        </div>
      ))}
    </section>
  );
}

function WeekSummary({ view }: { view: TodayView }): ReactElement {
  return (
    <section className={css['section']}>
      <Row spread>
        <h2>{t('This week')}</h2>
        <MutedText>{t('{minutes} min', { minutes: view.minutesThisWeek })}</MutedText>
      </Row>
      <WeekChart days={view.weekDays} />
      <MutedText small>
        {joinSentences(t, [
          t(
            '{days, plural, =0 {A practice today starts a new streak.} one {# day in a row.} other {# days in a row.}}',
            {
              days: view.streakDays,
            },
          ),
          t('You have two rest days a week. They don’t break your streak.'),
        ])}
      </MutedText>
    </section>
  );
}

function UnfinishedSession({ session }: { session: NonNullable<TodayView['unfinished']> }): ReactElement {
  const { client } = useHost();
  const navigate = useNavigate();
  const { sessionId } = session;
  const finish = useMutation({
    mutationFn: () => client.practice.finish({ sessionId }),
    onSuccess: () => navigate({ to: '/session/$sessionId/result', params: { sessionId } }),
  });
  return (
    <section className={css['unfinished']} style={coachColor(session.coachName)} aria-labelledby="unfinished">
      <h2 id="unfinished">{t('Pick up where you left off')}</h2>
      <div className={css['stopped']}>
        <Portrait name={session.coachName} imageUrl={session.coachAvatarUrl} size={56} />
        <div className={css['section']}>
          <h3>
            <span lang={session.title === null ? undefined : 'en'}>{practiceTitle(session.title)}</span>
          </h3>
          <MutedText small>{t('with {coachName}. Every word is kept.', { coachName: session.coachName })}</MutedText>
          {session.coachUtterance !== null && (
            <p className={cx(css['line'], css['lastLine'])} lang="en" dir="ltr">
              “{typographic(session.coachUtterance)}”
            </p>
          )}
          <Row>
            <Button
              variant="speak"
              icon={session.communicationStyle === 'text' ? 'keyboard' : 'microphone'}
              large
              onPress={() => void navigate({ to: '/session/$sessionId', params: { sessionId } })}
            >
              {t('Continue')}
            </Button>
            {session.isIdle && (
              <Button variant="quiet" onPress={() => finish.mutate()} isDisabled={finish.isPending}>
                {finish.isPending ? t('Scoring…') : t('Finish and see the result')}
              </Button>
            )}
          </Row>
          {finish.isError && <ErrorBanner error={finish.error} />}
        </div>
      </div>
    </section>
  );
}

function usePractices(): readonly PracticeCard[] {
  const { queries } = useHost();
  return useQuery(queries.catalogue.practices.queryOptions()).data ?? [];
}

/** The coach's first line, which the learner can answer. */
function SuggestedPractice({ suggested }: { suggested: NonNullable<TodayView['suggested']> }): ReactElement | null {
  const navigate = useNavigate();
  const card = usePractices().find(({ practiceId }) => practiceId === suggested.practiceId);
  if (card === undefined) return null;
  const open = (): void => void navigate({ to: '/practise/$practiceId', params: { practiceId: card.practiceId } });
  return (
    <section className={css['first']} style={coachColor(card.coachName)} aria-labelledby="suggested">
      <PracticeCover card={card} />
      <div className={css['section']}>
        <div className={css['who']}>
          <Portrait name={card.coachName} imageUrl={card.coachAvatarUrl} size={44} />
          <div>
            <h2 className={css['coach']}>{card.coachName}</h2>
            <MutedText small>
              <span lang="en">{card.title}</span>
            </MutedText>
          </div>
        </div>
        <p id="suggested" className={css['line']} lang={suggested.firstLine === null ? undefined : 'en'}>
          {suggested.firstLine === null ? (
            <Explanation english={card.descriptionSummary} coachName={card.coachName} />
          ) : (
            `“${typographic(suggested.firstLine)}”`
          )}
        </p>
        <MutedText>{suggestionSentence(suggested.reason)}</MutedText>
        <div>
          <Button variant="speak" icon="microphone" large onPress={open}>
            {t('Answer {coachName}', { coachName: card.coachName })}
          </Button>
        </div>
        <PracticeFacts card={card} />
      </div>
    </section>
  );
}

function OtherPractices({ suggested }: { suggested: string | null }): ReactElement | null {
  const level = useQuery(useHost().queries.settings.read.queryOptions()).data?.profile.englishLevel ?? null;
  const others = otherPractices(usePractices(), { suggested, level });
  if (others.length === 0) return null;
  return (
    <section className={css['section']}>
      <h2>{t('Or answer someone else')}</h2>
      <ul className={css['others']}>
        {others.map((card) => (
          <li key={card.practiceId}>
            <PracticeCardView card={card} isRow />
          </li>
        ))}
      </ul>
    </section>
  );
}

const NothingDue = ({ hasWords }: { hasWords: boolean }): ReactElement => (
  <section className={css['section']}>
    <h2>{t('Review')}</h2>
    <MutedText>
      {hasWords
        ? t('Nothing is due today. Words come back when it’s time.')
        : t('Nothing yet. Words you find hard turn up here after your first conversation.')}
    </MutedText>
  </section>
);

function WordsDue({ view }: { view: TodayView }): ReactElement {
  const navigate = useNavigate();
  return (
    <section className={css['due']} aria-labelledby="due">
      <h2 id="due">{t('{count, plural, one {# word due} other {# words due}}', { count: view.wordsDue })}</h2>
      <ul className={css['dueWords']} lang="en" dir="ltr">
        {view.wordsToTrain.map(({ word, accuracy }) => (
          <li key={word} data-band={scoreBand(accuracy)}>
            {typographic(word)}
          </li>
        ))}
      </ul>
      <div>
        <Button variant="speak" icon="microphone" large onPress={() => void navigate({ to: '/review' })}>
          {t('Review')}
        </Button>
      </div>
    </section>
  );
}
