/** The result of a session: objectives with their proof, scores, three sentences of feedback and words to train. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { ResultView } from '@parley/contract';
import { joinSentences, type LearnerTurn, type SessionId } from '@parley/domain';
import {
  Banner,
  Button,
  Card,
  ObjectiveList,
  MutedText,
  Row,
  type ScoreColumn,
  Stack,
  Tabs,
  typographic,
} from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import { columnsThatAddUp, spokenColumns, writtenColumns } from '../../foundation/scores/session-columns.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { explainObjectives } from '../../foundation/language/explanations.tsx';
import { QueryView, ErrorBanner, Screen } from '../../foundation/screen/screen.tsx';
import { useSpeaker } from '../../audio/index.ts';
import { SessionWords } from '../../review/index.ts';
import { ReportButton } from '../report/report-button.tsx';
import { startsContinuation, ContinuationMark } from '../session/continuation-mark.tsx';
import { ScoreSummary } from '../feedback/score-summary.tsx';
import { CorrectionList, Corrections, LanguageQuality } from './corrections.tsx';
import { EarlierFeedback } from './earlier-feedback.tsx';
import { FeedbackPanel } from './feedback-panel.tsx';
import { showFeedback } from './feedback-sentence.ts';
import {
  answerCountSentence,
  clearWordCount,
  type RetryNotice,
  retryNotice,
  scoresSoFar,
  toScoreElsewhereSentence,
  whyNotScored,
  wordsExplanation,
} from './result-text.ts';
import css from '../practice.module.css';
import result from './result.module.css';
import { CompareWithModel, UntranscribedRecording } from '../feedback/turn-feedback.tsx';
import { NothingSpoken, Transcript } from './transcript.tsx';
import { UnsentTurns } from './unsent-turns.tsx';
import { useSessionId } from '../use-session-id.ts';
import { practiceTitle } from '../../foundation/sentences/practice-title.ts';

export function ResultScreen(): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const sessionId = useSessionId();
  const query = useQuery(queries.practice.result.queryOptions({ input: { sessionId } }));
  const practiceId = query.data?.session.practiceId;
  const actions = practiceId && (
    <Row>
      <ReportButton sessionId={sessionId} turn={null} />
      <Button icon="redo" onPress={() => void navigate({ to: '/practise/$practiceId', params: { practiceId } })}>
        {t('Practise again')}
      </Button>
    </Row>
  );
  return (
    <Screen
      title={query.data === undefined ? t('Result') : practiceTitle(query.data.session.title)}
      isTitleEnglish={typeof query.data?.session.title === 'string'}
      {...introOf(query.data)}
      action={actions}
    >
      <QueryView query={query} loadingLabel={t('Opening the session')} comesFrom="download">
        {(view) => <ResultDetails view={view} />}
      </QueryView>
    </Screen>
  );
}

function ResultDetails({ view }: { view: ResultView }): ReactElement {
  const { session } = view;
  const learnerTurns = session.turns.filter((turn): turn is LearnerTurn => turn.role === 'learner');
  const spoken = learnerTurns.filter((turn) => turn.recordingId !== null);
  const notice = retryNotice(view);
  const elsewhere = toScoreElsewhereSentence(view);
  return (
    <>
      {notice !== null && <RetryFinish sessionId={session.sessionId} notice={notice} />}
      {view.status === 'completed' && (
        <RetryTranscription
          sessionId={session.sessionId}
          untranscribedCount={spoken.filter((turn) => turn.text === '').length}
        />
      )}
      {elsewhere !== null && <Banner tone="info">{elsewhere}</Banner>}
      <div className={result['top']}>
        <Stack>
          <ScoreSummary
            label={t('Overall score')}
            total={view.overall}
            columns={columnsOf(view)}
            whyNot={whyNotScored(view)}
            soFar={scoresSoFar(view)}
            explanation={wordsExplanation(learnerTurns, { total: view.overall, columns: columnsOf(view) })}
          />
          <EarlierFeedback view={view} />
        </Stack>
        {view.feedback !== null && <FeedbackPanel view={view} feedback={view.feedback} />}
      </div>
      <Card>
        <h2>{t('Objectives')}</h2>
        <ObjectiveList objectives={explainObjectives(session.objectives)} />
      </Card>
      <SessionWords sessionId={session.sessionId} />
      <UnsentTurns view={view} />
      <Tabs label={t('Details')} tabs={tabsOf(view, learnerTurns)} />
    </>
  );
}

/** A written practice has no recordings, so it starts with the language. */
function tabsOf(view: ResultView, turns: readonly LearnerTurn[]): { id: string; title: string; content: ReactNode }[] {
  const language = { id: 'language', title: t('Language'), content: <LanguageTab turns={turns} view={view} /> };
  const script = <Transcript session={view.session} />;
  const spoken = turns.filter((turn) => turn.recordingId !== null);
  if (view.session.communicationStyle === 'text' && spoken.length === 0)
    return [language, { id: 'script', title: t('What was said'), content: script }];
  return [
    { id: 'sound', title: t('Sound'), content: <SoundTab turns={spoken}>{script}</SoundTab> },
    language,
    { id: 'audio', title: t('Audio'), content: <AudioTab turns={spoken} /> },
  ];
}

/** The summary, in the reader's language if it is stored as a code. */
function introOf(view: ResultView | undefined): { intro?: string } {
  if (view === undefined || view.summary === null) return {};
  const { sentence, coachText } = showFeedback(view.summary, view);
  const intro = sentence ?? coachText;
  return intro === null ? {} : { intro: typographic(intro) };
}

/** The parts of the overall score, as the business rules add them up. */
function columnsOf({ session, dimensions, feedback, overall }: ResultView): ScoreColumn[] {
  const { objectives } = session;
  const count = { done: objectives.filter(({ provedBy }) => provedBy !== null).length, total: objectives.length };
  return session.communicationStyle === 'text'
    ? writtenColumns(count, feedback?.languageQuality ?? null)
    : columnsThatAddUp(overall, [spokenColumns(dimensions, count), spokenColumns(dimensions, null)]);
}

/** Repeating the end of a session repeats only the steps that failed before. */
function RetryFinish({ sessionId, notice }: { sessionId: SessionId; notice: RetryNotice }): ReactElement {
  const { tone, label, busyLabel, text } = notice;
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const retry = useMutation({
    mutationFn: () => client.practice.finish({ sessionId }),
    // Awaited so that the button stays disabled until the new result is shown.
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.practice.key() }),
  });
  return (
    <>
      <Banner
        tone={tone}
        action={
          <Button onPress={() => retry.mutate()} isDisabled={retry.isPending}>
            {retry.isPending ? busyLabel : label}
          </Button>
        }
      >
        {retry.isSuccess && !retry.isPending ? joinSentences(t, [text, t('It didn’t work this time either.')]) : text}
      </Banner>
      {retry.isError && <ErrorBanner error={retry.error} />}
    </>
  );
}

/** Retries the transcription of turns that failed when the session ended; existing scores stay as they are. */
function RetryTranscription({
  sessionId,
  untranscribedCount,
}: {
  sessionId: SessionId;
  untranscribedCount: number;
}): ReactElement | null {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const transcribe = useMutation({
    mutationFn: () => client.practice.retranscribe({ sessionId }),
    onSuccess: (view) => cache.setQueryData(queries.practice.result.queryKey({ input: { sessionId } }), view),
  });
  if (untranscribedCount === 0) return null;
  return (
    <>
      <Banner
        tone="info"
        action={
          <Button onPress={() => transcribe.mutate()} isDisabled={transcribe.isPending}>
            {transcribe.isPending ? t('Listening…') : t('Try again')}
          </Button>
        }
      >
        {transcribe.isSuccess
          ? t(
              '{count, plural, one {Parley still can’t make out one of your answers, so it has no score. Your recording is safe: you can hear it under Audio.} other {Parley still can’t make out # of your answers, so they have no score. Your recordings are safe: you can hear them under Audio.}}',
              { count: untranscribedCount },
            )
          : t(
              '{count, plural, one {Parley couldn’t make out one of your answers, so it has no score. Your recording is safe: you can hear it under Audio.} other {Parley couldn’t make out # of your answers, so they have no score. Your recordings are safe: you can hear them under Audio.}}',
              { count: untranscribedCount },
            )}
      </Banner>
      {transcribe.isError && <ErrorBanner error={transcribe.error} />}
    </>
  );
}

function SoundTab({ turns, children }: { turns: readonly LearnerTurn[]; children: ReactNode }): ReactElement {
  const { clear, total } = clearWordCount(turns);
  return (
    <Stack>
      {turns.length === 0 && <NothingSpoken />}
      {turns.length > 0 && turns.every(({ assessment, text }) => assessment === null && text !== '') && (
        <MutedText>{t('What you said is kept, but it has no scores.')}</MutedText>
      )}
      {total > 0 && (
        <p className={css['legend']}>
          <Trans
            id="<0>unclear</0> <1>nearly</1> no mark: clear. {clear} of {total} words were clear. A sentence’s score also counts flow and melody, so it can differ from the scores of its words."
            values={{ clear, total }}
            components={{ 0: <span className={css['unclearMark']} />, 1: <span className={css['nearlyMark']} /> }}
          />
        </p>
      )}
      {children}
    </Stack>
  );
}

function LanguageTab({ turns, view }: { turns: readonly LearnerTurn[]; view: ResultView }): ReactElement {
  const isModelCoach = view.session.coachKind === 'model';
  return (
    <Stack>
      <p>{answerCountSentence(turns, { isModelCoach })}</p>
      {isModelCoach ? (
        <>
          <LanguageQuality feedback={view.feedback} />
          <Corrections
            feedback={view.feedback}
            hasAnswered={turns.length > 0}
            isText={view.session.communicationStyle === 'text'}
          />
        </>
      ) : (
        <>
          <CorrectionList feedback={view.feedback} />
          <MutedText>
            {t(
              'The guided coach points out only a few frequent mistakes that it is sure of. All other corrections of grammar and wording need a live coach.',
            )}
          </MutedText>
        </>
      )}
    </Stack>
  );
}

function AudioTab({ turns }: { turns: readonly LearnerTurn[] }): ReactElement {
  const speaker = useSpeaker();
  if (turns.length === 0) return <NothingSpoken />;
  return (
    <ul className={result['recordings']}>
      {turns.map((turn, at) =>
        turn.recordingId === null ? null : (
          <Fragment key={turn.turnId}>
            {startsContinuation(turns, at) && (
              <li>
                <ContinuationMark />
              </li>
            )}
            <li>
              {turn.text === '' ? (
                <UntranscribedRecording recordingId={turn.recordingId} />
              ) : (
                <>
                  <p lang="en">{typographic(turn.text)}</p>
                  <CompareWithModel text={turn.text} recordingId={turn.recordingId} speaker={speaker} />
                </>
              )}
            </li>
          </Fragment>
        ),
      )}
    </ul>
  );
}
