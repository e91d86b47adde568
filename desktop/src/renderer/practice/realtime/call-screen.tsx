/** The screen of a realtime session: the coach fills the screen, and the learner can speak at any time. */
import { t } from '@parley/i18n';
import type { DeviceSettings, SessionView } from '@parley/contract';
import { Banner, Button, callColors, Toggle } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { microphoneReplacedSentence, OutputMissingBanner } from '../../audio/index.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { QueryView, ErrorBanner, pageTitle, Screen } from '../../foundation/screen/screen.tsx';
import { useLostFocus } from '../../foundation/screen/use-lost-focus.ts';
import { useSaveSettings } from '../../foundation/host/use-save-settings.ts';
import { EndSessionDialog } from '../session/end-session-dialog.tsx';
import { useSessionId } from '../use-session-id.ts';
import { AfterCall } from './after-call.tsx';
import { type CallHints, CallHintButton, CallHintTexts, useCallHints } from './call-hint.tsx';
import { CallRemainingTime } from './call-remaining-time.tsx';
import css from './call.module.css';
import { CallObjectives } from './call-objectives.tsx';
import { Captions } from './captions.tsx';
import { CoachFace, coachFaceState } from './coach-face.tsx';
import { type Call, useCall } from './use-call.ts';
import { useVoiceLevel } from './voice-ring.tsx';
import { practiceTitle } from '../../foundation/sentences/practice-title.ts';

export function CallScreen(): ReactElement {
  const { queries } = useHost();
  const sessionId = useSessionId();
  const session = useQuery(queries.practice.session.queryOptions({ input: { sessionId } }));
  const settings = useQuery(queries.settings.read.queryOptions());
  // Another device may have ended the session.
  if (session.data?.phase === 'scored' || session.data?.phase === 'scoring_failed')
    return <Navigate to="/session/$sessionId/result" params={{ sessionId }} replace />;
  if (session.data !== undefined && settings.data !== undefined)
    return <ActiveCall key={sessionId} session={session.data} settings={settings.data.device} />;
  return (
    <Screen title={t('Call')}>
      <QueryView query={session} loadingLabel={t('Calling')}>
        {() => (
          <QueryView query={settings} loadingLabel={t('Reading your settings')}>
            {() => null}
          </QueryView>
        )}
      </QueryView>
    </Screen>
  );
}

function ActiveCall({ session, settings }: { session: SessionView; settings: DeviceSettings }): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const voice = useVoiceLevel();
  const [isEndDialogOpen, setEndDialogOpen] = useState(false);
  const { sessionId, coach } = session;
  const call = useCall(session, settings, {
    onSession: (view) => cache.setQueryData(queries.practice.session.queryKey({ input: { sessionId } }), view),
    onLevel: voice.show,
  });
  const finish = useMutation({
    mutationFn: async () => {
      await call.end();
      return client.practice.finish({ sessionId });
    },
    onSuccess: () => navigate({ to: '/session/$sessionId/result', params: { sessionId } }),
  });
  const turnByTurn = useMutation({
    mutationFn: () => client.practice.resume({ sessionId }),
    onSuccess: (view) => cache.setQueryData(queries.practice.session.queryKey({ input: { sessionId } }), view),
    onSettled: () => navigate({ to: '/session/$sessionId', params: { sessionId }, search: { turnByTurn: true } }),
  });
  const hints = useCallHints(session);
  const title = practiceTitle(session.title);
  const heading = useDocumentTitle(title);
  const isConnected = call.state.status === 'active' && !finish.isPending;
  const wasOnHold = useRef(false);
  /** The coach is on hold while the learner reads the dialog. */
  const openEndDialog = (): void => {
    wasOnHold.current = call.isOnHold;
    if (isConnected) call.setOnHold(true);
    setEndDialogOpen(true);
  };
  const closeEndDialog = (): void => {
    if (isConnected) call.setOnHold(wasOnHold.current);
    setEndDialogOpen(false);
  };

  return (
    <div className={css['call']} style={callColors(coach.name)}>
      <header className={css['top']}>
        <div>
          <h1 ref={heading} tabIndex={-1} lang={session.title === null ? undefined : 'en'}>
            {title}
          </h1>
          {isConnected && <CallRemainingTime state={call.state} />}
        </div>
        <CallObjectives objectives={session.objectives} />
      </header>
      <div className={css['middle']}>
        <CoachFace coach={coach} state={coachFaceState(call)} ring={voice.ring} />
        {isConnected && <CallDeviceNotices state={call.state} />}
        {isConnected && <CallHintTexts hints={hints} />}
        {call.state.status === 'active' ? (
          settings.captions && <Captions words={call.state.words} session={session} />
        ) : (
          <AfterCall
            // The button that opened the dialog is gone, so the focus that the dialog gives back is taken here.
            key={String(isEndDialogOpen)}
            call={call}
            session={session}
            isFinishing={finish.isPending}
            onFinish={() => finish.mutate()}
            onTurnByTurn={() => turnByTurn.mutate()}
          />
        )}
        {finish.isError && <ErrorBanner error={finish.error} onRetry={() => finish.mutate()} />}
      </div>
      {isConnected && <CallToolbar call={call} hasCaptions={settings.captions} hints={hints} onEnd={openEndDialog} />}
      <EndSessionDialog
        sessionId={sessionId}
        isOpen={isEndDialogOpen}
        onClose={closeEndDialog}
        onFinish={() => finish.mutate()}
      />
    </div>
  );
}

function CallToolbar(props: { call: Call; hasCaptions: boolean; hints: CallHints; onEnd: () => void }): ReactElement {
  const { call, hasCaptions, hints, onEnd } = props;
  const save = useSaveSettings();
  const toolbar = useLostFocus<HTMLDivElement>();
  return (
    <div className={css['bottom']} role="toolbar" aria-label={t('The call')} ref={toolbar} tabIndex={-1}>
      <Toggle icon="muted" isSelected={call.isMuted} onChange={call.setMuted}>
        {call.isMuted ? t('Muted') : t('Mute')}
      </Toggle>
      <Toggle icon="pause" isSelected={call.isOnHold} onChange={call.setOnHold}>
        {t('Give me a moment')}
      </Toggle>
      <Toggle icon="captions" isSelected={hasCaptions} onChange={(captions) => save.device({ captions })}>
        {t('Captions')}
      </Toggle>
      <CallHintButton hints={hints} />
      <Button variant="danger" icon="phone" onPress={onEnd}>
        {t('End…')}
      </Button>
    </div>
  );
}

function CallDeviceNotices({ state }: { state: Call['state'] }): ReactElement {
  const replacement = state.status === 'active' ? state.microphoneReplacement : null;
  return (
    <>
      {replacement !== null && <Banner tone="warn">{microphoneReplacedSentence(replacement)}</Banner>}
      <OutputMissingBanner />
    </>
  );
}

/** Sets the window's title, and returns the screen's heading, which takes the focus. */
function useDocumentTitle(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = pageTitle(title);
    heading.current?.focus();
  }, [title]);
  return heading;
}
