/** What a practice came to: objectives with their proof, scores that were measured, three sentences, words to train. */
import type { ResultView } from '@parley/contract';
import type { LearnerTurn, SessionId } from '@parley/domain';
import { Badge, Banner, Button, Card, ObjectiveList, Quiet, Row, ScoreRing, Stack, Tabs } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import { useSpeaker } from '../audio/index.ts';
import { beginsContinuation, ContinuationMark } from './continuation.tsx';
import { DimensionBars } from './dimension-bars.tsx';
import { Corrections, LanguageQuality } from './corrections.tsx';
import { howOftenAnswered, whyNotMeasured } from './result-words.ts';
import css from './practice.module.css';
import { OwnAndModel, TurnFeedback, WordlessTurn } from './turn-feedback.tsx';
import { UnsentTurns } from './unsent-turns.tsx';
import { useSessionParam } from './use-session-param.ts';

export function ResultScreen(): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const sessionId = useSessionParam();
  const result = useQuery(queries.practice.result.queryOptions({ input: { sessionId } }));
  const practiceId = result.data?.session.practiceId;
  const again = practiceId && (
    <Button icon="redo" onPress={() => void navigate({ to: '/practise/$practiceId', params: { practiceId } })}>
      Practise again
    </Button>
  );
  return (
    <Screen
      title={result.data?.session.title ?? 'Result'}
      {...(result.data?.summary ? { intro: result.data.summary } : {})}
      action={again}
    >
      <Answered query={result} waiting="Loading your result">
        {(view) => <Result view={view} />}
      </Answered>
    </Screen>
  );
}

function Result({ view }: { view: ResultView }): ReactElement {
  const { session } = view;
  const learnerTurns = session.turns.filter((turn): turn is LearnerTurn => turn.role === 'learner');
  const spoken = learnerTurns.filter((turn) => turn.recordingId !== null);
  const isText = session.communicationStyle === 'text';
  return (
    <>
      {view.status === 'failed_to_generate_score' && (
        <FinishAgain sessionId={session.sessionId} tone="warn" label="Try again" busy="Scoring …">
          The scores could not be made. Everything you said is kept.
        </FinishAgain>
      )}
      {view.isReviewWaiting && (
        <FinishAgain sessionId={session.sessionId} tone="info" label="Ask now" busy="Asking …">
          Your coach could not be reached. What you see is what was measured here; what your coach says of it comes
          later, by itself.
        </FinishAgain>
      )}
      {view.status === 'completed' && (
        <WriteDown sessionId={session.sessionId} wordless={spoken.filter((turn) => turn.text === '').length} />
      )}
      <div className={css['top']}>
        <ScoreRing score={view.overall} label="Overall score" size={148} />
        <DimensionBars scores={view.dimensions} {...whyNotMeasured({ isText, hasAnswered: learnerTurns.length > 0 })} />
      </div>
      {view.feedback !== null && (
        <div className={css['sentences']}>
          <Sentence title="What went well" text={view.feedback.best} />
          <Sentence title="One thing to work on" text={view.feedback.fix} />
          <Sentence title="Your next step" text={view.feedback.nextStep} />
        </div>
      )}
      <Card>
        <h2>Objectives</h2>
        <ObjectiveList objectives={session.objectives} />
      </Card>
      {view.feedback !== null && view.feedback.wordsToTrain.length > 0 && (
        <WordsToTrain view={view.feedback.wordsToTrain} />
      )}
      <UnsentTurns view={view} />
      <Tabs
        label="Details"
        tabs={[
          { id: 'sound', title: 'Sound', content: <SoundTab turns={spoken} /> },
          { id: 'language', title: 'Language', content: <LanguageTab turns={learnerTurns} view={view} /> },
          { id: 'audio', title: 'Audio', content: <AudioTab turns={spoken} /> },
        ]}
      />
    </>
  );
}

const Sentence = ({ title, text }: { title: string; text: string }): ReactElement => (
  <Card>
    <h2>{title}</h2>
    <p>{text}</p>
  </Card>
);

/** To finish a session that is over asks once more for what could not be had. */
function FinishAgain(props: {
  sessionId: SessionId;
  tone: 'warn' | 'info';
  label: string;
  busy: string;
  children: ReactNode;
}): ReactElement {
  const { sessionId, tone, label, busy, children } = props;
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const retry = useMutation({
    mutationFn: () => client.practice.finish({ sessionId }),
    // Awaited: what is shown as over is shown over by then.
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.practice.key() }),
  });
  return (
    <>
      <Banner
        tone={tone}
        action={
          <Button onPress={() => retry.mutate()} isDisabled={retry.isPending}>
            {retry.isPending ? busy : label}
          </Button>
        }
      >
        {children}
        {retry.isSuccess && !retry.isPending && ' Not this time either.'}
      </Banner>
      {retry.isError && <FailureBanner error={retry.error} />}
    </>
  );
}

/** What nobody could write down when the session ended can be tried again; what was scored stays. */
function WriteDown({ sessionId, wordless }: { sessionId: SessionId; wordless: number }): ReactElement | null {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const write = useMutation({
    mutationFn: () => client.practice.writeDown({ sessionId }),
    onSuccess: (view) => cache.setQueryData(queries.practice.result.queryKey({ input: { sessionId } }), view),
  });
  if (wordless === 0) return null;
  return (
    <>
      <Banner
        tone="info"
        action={
          <Button onPress={() => write.mutate()} isDisabled={write.isPending}>
            {write.isPending ? 'Listening …' : 'Try again'}
          </Button>
        }
      >
        {wordless === 1 ? 'One thing' : `${wordless} things`} you said could not be written down and{' '}
        {wordless === 1 ? 'has' : 'have'} no score. Your sound is kept: you hear it under Audio.
        {write.isSuccess && ' No words could be made out this time either.'}
      </Banner>
      {write.isError && <FailureBanner error={write.error} />}
    </>
  );
}

function WordsToTrain({ view }: { view: NonNullable<ResultView['feedback']>['wordsToTrain'] }): ReactElement {
  const speaker = useSpeaker();
  return (
    <Card>
      <h2>Words to train</h2>
      <ul className={css['list']}>
        {view.map((word) => (
          <li key={word.word}>
            <Row>
              <Button icon="speaker" onPress={() => void speaker.speak(word.word)}>
                {word.word}
              </Button>
              <span>/{word.ipa}/</span>
              <Badge>{Math.round(word.accuracy)} of 100</Badge>
            </Row>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const NothingSpoken = (): ReactElement => (
  <Quiet>You sent nothing spoken in this practice, so there is nothing to hear.</Quiet>
);

function SoundTab({ turns }: { turns: readonly LearnerTurn[] }): ReactElement {
  if (turns.length === 0) return <NothingSpoken />;
  if (turns.every(({ assessment, text }) => assessment === null && text !== ''))
    return <Quiet>What you said is kept; it has no scores.</Quiet>;
  return (
    <Stack>
      {turns.map((turn, at) => (
        <Fragment key={turn.turnId}>
          {beginsContinuation(turns, at) && <ContinuationMark />}
          <SpokenTurn turn={turn} />
        </Fragment>
      ))}
    </Stack>
  );
}

function SpokenTurn({ turn: { text, assessment, recordingId } }: { turn: LearnerTurn }): ReactElement | null {
  if (recordingId === null || (assessment === null && text !== '')) return null;
  return (
    <Card>
      {assessment === null ? (
        <WordlessTurn recordingId={recordingId} />
      ) : (
        <TurnFeedback text={text} assessment={assessment} recordingId={recordingId} />
      )}
    </Card>
  );
}

function LanguageTab({ turns, view }: { turns: readonly LearnerTurn[]; view: ResultView }): ReactElement {
  const isLive = view.session.coachKind === 'live';
  return (
    <Card>
      <p>{howOftenAnswered(turns, { isLive })}</p>
      {isLive ? (
        <>
          <LanguageQuality feedback={view.feedback} />
          <Corrections
            feedback={view.feedback}
            hasAnswered={turns.length > 0}
            isText={view.session.communicationStyle === 'text'}
          />
        </>
      ) : (
        <Quiet>
          Corrections of grammar and wording need a live coach. The guided coach only says what it can measure.
        </Quiet>
      )}
    </Card>
  );
}

function AudioTab({ turns }: { turns: readonly LearnerTurn[] }): ReactElement {
  const speaker = useSpeaker();
  if (turns.length === 0) return <NothingSpoken />;
  return (
    <Stack>
      {turns.map((turn, at) =>
        turn.recordingId === null ? null : (
          <Fragment key={turn.turnId}>
            {beginsContinuation(turns, at) && <ContinuationMark />}
            <Card>
              {turn.text === '' ? (
                <WordlessTurn recordingId={turn.recordingId} />
              ) : (
                <>
                  <p>{turn.text}</p>
                  <OwnAndModel text={turn.text} recordingId={turn.recordingId} speaker={speaker} />
                </>
              )}
            </Card>
          </Fragment>
        ),
      )}
    </Stack>
  );
}
