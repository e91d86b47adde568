/** A conversation in which both may speak at once: the coach fills the screen, and there is nothing to press to be heard. */
import type { DeviceSettings, SessionView } from '@parley/contract';
import { Button, Toggle } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useHost } from '../../app/host-context.tsx';
import { Answered, FailureBanner, Screen } from '../../app/screen.tsx';
import { useSaveSettings } from '../../app/use-save-settings.ts';
import { EndDialog } from '../end-dialog.tsx';
import { useSessionParam } from '../use-session-param.ts';
import { AfterCall, isElsewhere } from './after-call.tsx';
import { CallTimeLeft } from './call-time-left.tsx';
import css from './call.module.css';
import { CallObjectives } from './call-objectives.tsx';
import { Captions } from './captions.tsx';
import { CoachFace, type Facing } from './coach-face.tsx';
import { type Call, useCall } from './use-call.ts';

export function CallScreen(): ReactElement {
  const { queries } = useHost();
  const sessionId = useSessionParam();
  const session = useQuery(queries.practice.session.queryOptions({ input: { sessionId } }));
  const settings = useQuery(queries.settings.read.queryOptions());
  if (session.data !== undefined && settings.data !== undefined)
    return <CallWith key={sessionId} session={session.data} settings={settings.data.device} />;
  return (
    <Screen title="Call">
      <Answered query={session} waiting="Calling">
        {() => (
          <Answered query={settings} waiting="Reading your settings">
            {() => null}
          </Answered>
        )}
      </Answered>
    </Screen>
  );
}

function CallWith({ session, settings }: { session: SessionView; settings: DeviceSettings }): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const save = useSaveSettings();
  const ring = useRef<HTMLDivElement>(null);
  const [isEnding, setEnding] = useState(false);
  const { sessionId, coach } = session;
  const call = useCall(session, settings, {
    onSession: (view) => cache.setQueryData(queries.practice.session.queryKey({ input: { sessionId } }), view),
    onLevel: (who, level) => {
      if (ring.current?.dataset['facing'] === 'coach' ? who === 'coach' : who === 'learner')
        ring.current?.style.setProperty('--level', String(Math.min(1, Math.sqrt(level) * 1.8)));
    },
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
  useTitle(session.title);
  const isHeld = call.state.status === 'held' && !finish.isPending;
  const hadMoment = useRef(false);
  /** While the learner reads what is asked of them, nobody waits for their voice. */
  const openEnding = (): void => {
    hadMoment.current = call.isMoment;
    if (isHeld) call.setMoment(true);
    setEnding(true);
  };
  const closeEnding = (): void => {
    if (isHeld) call.setMoment(hadMoment.current);
    setEnding(false);
  };

  return (
    <div className={css['call']}>
      <header className={css['top']}>
        <div>
          <h1>{session.title}</h1>
          {isHeld && <CallTimeLeft state={call.state} />}
        </div>
        <CallObjectives objectives={session.objectives} />
      </header>
      <div className={css['middle']}>
        <CoachFace coach={coach} facing={facingOf(call)} ring={ring} />
        {call.state.status === 'held' ? (
          settings.captions && <Captions words={call.state.words} session={session} />
        ) : (
          <AfterCall
            call={call}
            session={session}
            isFinishing={finish.isPending}
            onFinish={() => finish.mutate()}
            onTurnByTurn={() => turnByTurn.mutate()}
          />
        )}
        {finish.isError && <FailureBanner error={finish.error} onRetry={() => finish.mutate()} />}
      </div>
      {isHeld && (
        <div className={css['bottom']} role="toolbar" aria-label="The call">
          <Toggle icon="muted" isSelected={call.isMuted} onChange={call.setMuted}>
            {call.isMuted ? 'Muted' : 'Mute'}
          </Toggle>
          <Toggle icon="pause" isSelected={call.isMoment} onChange={call.setMoment}>
            Give me a moment
          </Toggle>
          <Toggle icon="captions" isSelected={settings.captions} onChange={(captions) => save.device({ captions })}>
            Captions
          </Toggle>
          <Button look="danger" icon="phone" onPress={openEnding}>
            End …
          </Button>
        </div>
      )}
      <EndDialog sessionId={sessionId} isOpen={isEnding} onClose={closeEnding} onFinish={() => finish.mutate()} />
    </div>
  );
}

function facingOf({ state, isMoment, isMuted }: Call): Facing {
  if (state.status === 'failed') return isElsewhere(state.error) ? 'elsewhere' : 'failed';
  if (state.status !== 'held') return 'over';
  if (state.line !== 'open') return state.line;
  if (isMoment) return 'moment';
  return isMuted && state.who !== 'coach' ? 'muted' : state.who;
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
}
