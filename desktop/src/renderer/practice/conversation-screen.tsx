/** Holding a conversation, turn by turn. What is shown is what the host holds; a restart shows the same. */
import type { SessionView } from '@parley/contract';
import { Banner, Button, Card, ObjectiveList, Quiet, Skeleton } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { errorCode, sentenceOf } from '../app/error-sentence.ts';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import { useCallOrTurns } from './call/call-or-turns.ts';
import { CoachBubble } from './coach-bubble.tsx';
import { beginsContinuation, ContinuationMark } from './continuation.tsx';
import { EndDialog } from './end-dialog.tsx';
import { LearnerBubble } from './learner-bubble.tsx';
import css from './practice.module.css';
import { LiveBubble } from './live-bubble.tsx';
import { TurnDock } from './turn-dock.tsx';
import { TurnsTimeLeft } from './turns-time-left.tsx';
import { useCoachVoice } from './use-coach-voice.ts';
import { useLastTurnInSight } from './use-last-turn-in-sight.ts';
import { useSessionParam } from './use-session-param.ts';
import { type LiveCoach, tickedWhile, useLiveCoach } from './use-live-coach.ts';

export function ConversationScreen(): ReactElement {
  const { queries } = useHost();
  const sessionId = useSessionParam();
  const session = useQuery(queries.practice.session.queryOptions({ input: { sessionId } }));
  return (
    <Screen
      title={session.data?.title ?? 'Conversation'}
      {...(session.data === undefined ? {} : { intro: session.data.scenario })}
    >
      <Answered query={session} waiting="Opening the conversation">
        {(view) => <AsLiked session={view} />}
      </Answered>
    </Screen>
  );
}

function CoachGone({ error, retry }: Pick<Extract<LiveCoach, { status: 'failed' }>, 'error' | 'retry'>): ReactElement {
  if (errorCode(error) !== 'live.other_window') return <FailureBanner error={error} onRetry={() => retry()} />;
  return (
    <Banner action={<Button onPress={() => retry({ takeOver: true })}>Take it over</Button>}>
      {sentenceOf('live.other_window')}
    </Banner>
  );
}

/** A session that is opened again goes on as its learner likes it. */
function AsLiked({ session }: { session: SessionView }): ReactElement {
  const { sessionId } = session;
  const held = useCallOrTurns(session);
  if (held === null) return <Skeleton label="Opening the conversation" />;
  if (held.isCall) return <Navigate to="/session/$sessionId/call" params={{ sessionId }} replace />;
  return <Conversation key={sessionId} session={session} mayCall={held.mayCall} />;
}

function Conversation({ session, mayCall }: { session: SessionView; mayCall: boolean }): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isEnding, setEnding] = useState(false);
  const settings = useQuery(queries.settings.read.queryOptions()).data?.device;
  const { sessionId } = session;
  const [ownTurns, setOwnTurns] = useState(session.turns.length);
  const show = (view: SessionView): void => {
    setOwnTurns(view.turns.length);
    cache.setQueryData(queries.practice.session.queryKey({ input: { sessionId } }), view);
  };

  const live = useLiveCoach(session, { isOwn: session.turns.length === ownTurns, onSession: show });
  const inSight = useLastTurnInSight(`${session.turns.length} ${live.status}`);
  useCoachVoice(session, live, settings?.coachSpeed ?? null);
  const resume = useMutation({ mutationFn: () => client.practice.resume({ sessionId }), onSuccess: show });
  const pause = useMutation({ mutationFn: () => client.practice.pause({ sessionId }), onSuccess: show });
  const finish = useMutation({
    mutationFn: () => client.practice.finish({ sessionId }),
    onSuccess: () => navigate({ to: '/session/$sessionId/result', params: { sessionId } }),
  });
  const isRunning = session.phase === 'learner_turn' || session.phase === 'coach_turn';
  const countsMinutes = isRunning && session.coachKind === 'live' && session.communicationStyle === 'audio';
  const isScored = session.phase === 'scored' || session.phase === 'scoring_failed';
  useEffect(() => {
    if (isScored) void navigate({ to: '/session/$sessionId/result', params: { sessionId }, replace: true });
  }, [isScored, navigate, sessionId]);

  return (
    <div className={css['conversation']}>
      <div className={css['talk']}>
        <ol className={css['turns']} aria-label="Conversation" aria-live="polite">
          {session.turns.map((turn, at) => (
            <li key={turn.turnId} style={{ display: 'grid' }}>
              {beginsContinuation(session.turns, at) && <ContinuationMark />}
              {turn.role === 'coach' ? (
                <CoachBubble turn={turn} coach={session.coach} showText={settings?.captions ?? true} />
              ) : (
                <LearnerBubble turn={turn} isLive={session.coachKind === 'live'} />
              )}
            </li>
          ))}
          {session.phase === 'coach_turn' && (
            <li style={{ display: 'grid' }}>
              <LiveBubble live={live} coach={session.coach} showText={settings?.captions ?? true} />
            </li>
          )}
        </ol>
        <div ref={inSight.end} />
        <div className={css['dock']} ref={inSight.dock}>
          {countsMinutes && <TurnsTimeLeft isTold={session.waitingTurn !== null} />}
          {session.phase === 'learner_turn' && settings !== undefined && (
            <TurnDock session={session} settings={settings} onSession={show} />
          )}
          {session.phase === 'coach_turn' &&
            (live.status === 'failed' ? (
              <CoachGone error={live.error} retry={live.retry} />
            ) : (
              <Quiet>
                {live.status === 'loading'
                  ? `${session.coach.name} answers as soon as the model is loaded. A large model takes a minute or two.`
                  : `${session.coach.name} has the word.`}
              </Quiet>
            ))}
          {session.phase === 'paused' && (
            <>
              <Quiet>Paused. The clock stands still, and nothing is lost.</Quiet>
              <Button look="primary" large icon="play" onPress={() => resume.mutate()}>
                Resume
              </Button>
            </>
          )}
          {(session.phase === 'ended' || session.phase === 'scoring') && (
            <>
              <Quiet>The conversation is over.</Quiet>
              <Button look="primary" large icon="check" onPress={() => finish.mutate()} isDisabled={finish.isPending}>
                {finish.isPending ? 'Scoring …' : 'See your result'}
              </Button>
            </>
          )}
          {finish.isError && <FailureBanner error={finish.error} onRetry={() => finish.mutate()} />}
          {pause.isError && <FailureBanner error={pause.error} />}
          {resume.isError && <FailureBanner error={resume.error} />}
        </div>
      </div>
      <aside className={css['side']} aria-label="This practice">
        <Card>
          <h2>Objectives</h2>
          <div aria-live="polite">
            <ObjectiveList objectives={tickedWhile(session, live)} />
          </div>
        </Card>
        {mayCall && (
          <Button icon="phone" onPress={() => void navigate({ to: '/session/$sessionId/call', params: { sessionId } })}>
            Go on as a call
          </Button>
        )}
        {isRunning && (
          <Button icon="pause" onPress={() => pause.mutate()}>
            Pause
          </Button>
        )}
        {(isRunning || session.phase === 'paused') && (
          <Button look="quiet" onPress={() => setEnding(true)}>
            End the conversation …
          </Button>
        )}
      </aside>
      <EndDialog
        sessionId={sessionId}
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        onFinish={() => finish.mutate()}
      />
    </div>
  );
}
