/** The screen of a turn-by-turn session. It shows the host's state, so a restart shows the same. */
import { t } from '@parley/i18n';
import type { SessionView } from '@parley/contract';
import { Banner, Button, coachColor, ObjectiveList, MutedText } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { errorCode, sentenceForCode } from '../../foundation/sentences/error-sentence.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { explain, explainObjectives } from '../../foundation/language/explanations.tsx';
import { ChangeNotice } from '../../foundation/screen/change-notice.tsx';
import { Loading, QueryView, ErrorBanner, Screen, TalkState } from '../../foundation/screen/screen.tsx';
import { OutputMissingBanner } from '../../audio/index.ts';
import { usePreferredMode } from '../realtime/use-preferred-mode.ts';
import { ReportButton } from '../report/report-button.tsx';
import { EndSessionDialog } from './end-session-dialog.tsx';
import css from '../practice.module.css';
import { CoachReplyBubble } from './coach-reply-bubble.tsx';
import { CoachSpeaking } from './coach-speaking.tsx';
import { TurnDock } from '../turn/turn-dock.tsx';
import { SwitchCoachButton } from './switch-coach-button.tsx';
import { RemainingMinutesWarning } from './remaining-minutes-warning.tsx';
import { useCoachVoice } from './use-coach-voice.ts';
import { useInterruptCoach } from './use-interrupt-coach.ts';
import { useKeepLastTurnVisible } from './use-keep-last-turn-visible.ts';
import { TurnList } from './turn-list.tsx';
import { useSessionId } from '../use-session-id.ts';
import { type CoachReply, objectivesDuringReply, useCoachReply } from './use-coach-reply.ts';
import { practiceTitle } from '../../foundation/sentences/practice-title.ts';

export function ConversationScreen(): ReactElement {
  const { queries } = useHost();
  const sessionId = useSessionId();
  const session = useQuery(queries.practice.session.queryOptions({ input: { sessionId } }));
  return (
    <Screen
      title={session.data === undefined ? t('Conversation') : practiceTitle(session.data.title)}
      isTitleEnglish={typeof session.data?.title === 'string'}
      layout="talk"
    >
      {session.data === undefined ? (
        <TalkState>
          <QueryView query={session} loadingLabel={t('Opening the session')} comesFrom="download">
            {() => null}
          </QueryView>
        </TalkState>
      ) : (
        <PreferredMode session={session.data} />
      )}
    </Screen>
  );
}

function CoachReplyError({
  error,
  retry,
}: Pick<Extract<CoachReply, { status: 'failed' }>, 'error' | 'retry'>): ReactElement {
  if (errorCode(error) !== 'live.other_window') return <ErrorBanner error={error} onRetry={() => retry()} />;
  return (
    <Banner action={<Button onPress={() => retry({ takeOver: true })}>{t('Move it here')}</Button>}>
      {sentenceForCode('live.other_window')}
    </Banner>
  );
}

/** Reopens a session in the mode that the learner prefers. */
function PreferredMode({ session }: { session: SessionView }): ReactElement {
  const { sessionId } = session;
  const mode = usePreferredMode(session);
  if (mode === null)
    return (
      <TalkState>
        <Loading label={t('Opening the session')} comesFrom="server" />
      </TalkState>
    );
  if (mode.isRealtime) return <Navigate to="/session/$sessionId/call" params={{ sessionId }} replace />;
  return <Conversation key={sessionId} session={session} mayCall={mode.canUseRealtime} />;
}

function Conversation({ session, mayCall: canUseRealtime }: { session: SessionView; mayCall: boolean }): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isEndDialogOpen, setEndDialogOpen] = useState(false);
  const [isDraftSetAside, setDraftSetAside] = useState(false);
  const [isRecording, setRecording] = useState(false);
  const settings = useQuery(queries.settings.read.queryOptions()).data?.device;
  const { sessionId } = session;
  const [knownTurnCount, setKnownTurnCount] = useState(session.turns.length);
  const updateSession = (view: SessionView): void => {
    setKnownTurnCount(view.turns.length);
    cache.setQueryData(queries.practice.session.queryKey({ input: { sessionId } }), view);
  };

  const reply = useCoachReply(session, { isOwn: session.turns.length === knownTurnCount, onSession: updateSession });
  const script = useKeepLastTurnVisible(`${session.turns.length} ${reply.status}`);
  const voice = useCoachVoice(session, reply, settings?.coachSpeed ?? null);
  const interruption = useInterruptCoach(session, { reply, voice, onSession: updateSession });
  const resume = useMutation({ mutationFn: () => client.practice.resume({ sessionId }), onSuccess: updateSession });
  const pause = useMutation({ mutationFn: () => client.practice.pause({ sessionId }), onSuccess: updateSession });
  const extend = useMutation({ mutationFn: () => client.practice.extend({ sessionId }), onSuccess: updateSession });
  const finish = useMutation({
    mutationFn: () => client.practice.finish({ sessionId }),
    onSuccess: () => navigate({ to: '/session/$sessionId/result', params: { sessionId } }),
  });
  const isActive = session.phase === 'learner_turn' || session.phase === 'coach_turn';
  const isMetered = isActive && session.coachKind === 'model' && session.communicationStyle === 'audio';
  const isScored = session.phase === 'scored' || session.phase === 'scoring_failed';
  useEffect(() => {
    if (isScored) void navigate({ to: '/session/$sessionId/result', params: { sessionId }, replace: true });
  }, [isScored, navigate, sessionId]);

  const scenario = explain(session.scenario, session.coach.name);
  return (
    <div className={css['conversation']} style={coachColor(session.coach.name)}>
      <div className={css['middle']}>
        <div className={css['script']} ref={script}>
          <p className={css['stage']} lang={scenario.lang}>
            {scenario.text}
          </p>
          <ol className={css['turns']} aria-label={t('Conversation')} aria-live="polite">
            <TurnList
              turns={session.turns}
              coach={session.coach}
              coachKind={session.coachKind}
              showsCoachText={settings?.captions ?? true}
            />
            {session.phase === 'coach_turn' && reply.status !== 'silent' && reply.status !== 'failed' && (
              <li style={{ display: 'grid' }}>
                <CoachReplyBubble reply={reply} coach={session.coach} showText={settings?.captions ?? true} />
              </li>
            )}
          </ol>
        </div>
        <aside className={css['side']} aria-label={t('This practice')}>
          <h2>{t('Objectives')}</h2>
          <div aria-live="polite">
            <ObjectiveList objectives={explainObjectives(objectivesDuringReply(session, reply))} />
          </div>
          <div className={css['sideActions']}>
            {canUseRealtime && (
              <Button
                icon="phone"
                onPress={() => void navigate({ to: '/session/$sessionId/call', params: { sessionId } })}
              >
                {t('Switch to a call')}
              </Button>
            )}
            {session.phase === 'learner_turn' && (
              // The other coach begins to speak at once, which would be heard in the recording.
              <SwitchCoachButton session={session} isDisabled={isRecording} onSession={updateSession} />
            )}
            {isActive && (
              <Button icon="pause" onPress={() => pause.mutate()}>
                {t('Pause')}
              </Button>
            )}
            <ReportButton
              sessionId={sessionId}
              turn={session.turns.findLast((turn) => turn.role === 'coach') ?? null}
            />
            {(isActive || session.phase === 'paused') && (
              <Button variant="quiet" onPress={() => setEndDialogOpen(true)}>
                {t('End the conversation…')}
              </Button>
            )}
          </div>
        </aside>
      </div>
      <div className={css['dock']} data-phase={session.phase}>
        <div className={css['dockContent']}>
          {isMetered && <RemainingMinutesWarning isTold={session.waitingTurn !== null} />}
          {isActive && <OutputMissingBanner />}
          {session.phase === 'learner_turn' && settings !== undefined && (
            <TurnDock
              session={session}
              settings={settings}
              spokenTurnId={voice.spokenTurnId}
              startsRecording={interruption.startsRecording}
              onRecording={interruption.onRecording}
              isDraftSetAside={isDraftSetAside}
              onDraftSetAside={setDraftSetAside}
              onBusy={setRecording}
              onSession={updateSession}
            />
          )}
          {session.phase === 'coach_turn' &&
            (reply.status === 'failed' ? (
              <>
                <CoachReplyError error={reply.error} retry={reply.retry} />
                <SwitchCoachButton session={session} onSession={updateSession} />
              </>
            ) : (
              <CoachSpeaking
                coachName={session.coach.name}
                status={reply.status}
                isSpoken={session.communicationStyle === 'audio'}
                onInterrupt={interruption.interrupt}
              />
            ))}
          {session.phase === 'paused' && (
            <>
              <MutedText>
                <ChangeNotice>{t('Paused. No minutes are being used.')}</ChangeNotice>
              </MutedText>
              <Button variant="primary" large icon="play" onPress={() => resume.mutate()}>
                {t('Resume')}
              </Button>
            </>
          )}
          {(session.phase === 'ended' || session.phase === 'scoring') && (
            <>
              <MutedText>
                <ChangeNotice>{t('The conversation is over.')}</ChangeNotice>
              </MutedText>
              <Button
                variant="primary"
                large
                icon="check"
                onPress={() => finish.mutate()}
                isDisabled={finish.isPending}
              >
                {finish.isPending ? t('Scoring…') : t('See your result')}
              </Button>
              {session.phase === 'ended' && session.canExtend && (
                <Button icon="clock" onPress={() => extend.mutate()} isDisabled={extend.isPending || finish.isPending}>
                  {t('Talk for two more minutes')}
                </Button>
              )}
            </>
          )}
          {interruption.error !== null && <ErrorBanner error={interruption.error} />}
          {finish.isError && <ErrorBanner error={finish.error} onRetry={() => finish.mutate()} />}
          {extend.isError && <ErrorBanner error={extend.error} onRetry={() => extend.mutate()} />}
          {pause.isError && <ErrorBanner error={pause.error} />}
          {resume.isError && <ErrorBanner error={resume.error} />}
        </div>
      </div>
      <EndSessionDialog
        sessionId={sessionId}
        isOpen={isEndDialogOpen}
        onClose={() => setEndDialogOpen(false)}
        onFinish={() => finish.mutate()}
      />
    </div>
  );
}
