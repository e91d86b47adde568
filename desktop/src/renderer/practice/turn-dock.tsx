/** The learner's turn: speak, see what was heard, send; or write; or ask for a hint. */
import { type DeviceSettings, type HeardTurn, MAX_TURN_MS, type SessionView } from '@parley/contract';
import type { TurnId } from '@parley/domain';
import { Banner, Button, Icon, Quiet, Row, TextField } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type CSSProperties, type ReactElement, useEffect, useRef, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { errorCode } from '../app/error-sentence.ts';
import { FailureBanner } from '../app/screen.tsx';
import { microphoneSentence, type Recorder, useRecorder, useSpeaker } from '../audio/index.ts';
import { HeardCard } from './heard-card.tsx';
import { HintLadder } from './hint-ladder.tsx';
import css from './practice.module.css';

export interface TurnDockProps {
  session: SessionView;
  settings: DeviceSettings;
  onSession: (session: SessionView) => void;
}

export function TurnDock({ session, settings, onSession }: TurnDockProps): ReactElement {
  const { client } = useHost();
  const { sessionId } = session;
  const speaker = useSpeaker();
  const [isWriting, setWriting] = useState(session.communicationStyle === 'text');
  const [hintLevel, setHintLevel] = useState(0);
  const turnCount = session.turns.length;
  useEffect(() => setHintLevel(0), [turnCount]);
  const hintLevelNow = useRef(hintLevel);
  hintLevelNow.current = hintLevel;

  const showWaiting = (waitingTurn: HeardTurn): void => onSession({ ...session, waitingTurn });
  const recorder = useRecorder({
    microphoneId: settings.microphoneId,
    patienceMs: settings.patienceMs,
    maxMs: MAX_TURN_MS,
    begin: async () => {
      const { turnId } = await client.practice.beginTurn({ sessionId });
      return {
        send: async (seq, pcm) => void (await client.practice.appendAudio({ sessionId, turnId, seq, pcm })),
        finish: async () =>
          showWaiting(await client.practice.finishTurn({ sessionId, turnId, hintLevel: hintLevelNow.current })),
      };
    },
  });
  const send = useMutation({
    mutationFn: (turnId: TurnId) => client.practice.sendTurn({ sessionId, turnId }),
    onSuccess: onSession,
  });
  const discard = useMutation({
    mutationFn: (turnId: TurnId) => client.practice.discardTurn({ sessionId, turnId }),
    onSuccess: onSession,
  });
  const name = useMutation({
    mutationFn: (turn: { turnId: TurnId; text: string }) => client.practice.nameTurn({ sessionId, ...turn }),
    onSuccess: showWaiting,
  });
  const write = useMutation({
    mutationFn: (text: string) => client.practice.sendTyped({ sessionId, text, hintLevel }),
    onSuccess: onSession,
  });
  const failure = [send, discard, name, write].find((mutation) => mutation.isError)?.error ?? null;
  const waiting = session.waitingTurn;
  const startRecording = (): void => {
    speaker.stop();
    void recorder.start();
  };
  const isBusy =
    recorder.state.status === 'recording' ||
    recorder.state.status === 'opening' ||
    recorder.state.status === 'finishing';
  useSpaceToTalk({ isActive: !isWriting && waiting === null, recorder, start: startRecording });
  return (
    <>
      {waiting !== null && !isBusy ? (
        <HeardCard
          heard={waiting}
          isSending={send.isPending || name.isPending}
          onSend={() => send.mutate(waiting.turnId)}
          onRedo={() => {
            discard.mutate(waiting.turnId, { onSuccess: startRecording });
          }}
          onName={(text) => name.mutate({ turnId: waiting.turnId, text })}
          onWrite={() => {
            discard.mutate(waiting.turnId);
            setWriting(true);
          }}
        />
      ) : isWriting ? (
        <Writing isSending={write.isPending} onSend={(text) => write.mutate(text)} />
      ) : (
        <Talking recorder={recorder} onStart={startRecording} />
      )}
      {waiting === null && !isBusy && (
        <>
          <HintLadder session={session} level={hintLevel} onLevel={setHintLevel} />
          <Button look="quiet" icon={isWriting ? 'microphone' : 'keyboard'} onPress={() => setWriting(!isWriting)}>
            {isWriting ? 'Speak instead' : 'Write instead'}
          </Button>
        </>
      )}
      {failure !== null && errorCode(failure) !== 'turn.not_found' && <FailureBanner error={failure} />}
    </>
  );
}

const LABELS = {
  idle: 'Speak',
  opening: 'Opening the microphone',
  recording: 'Stop and see what was heard',
  finishing: 'Listening to what you said',
  failed: 'Speak',
} as const;

function Talking({ recorder, onStart }: { recorder: Recorder; onStart: () => void }): ReactElement {
  const { state } = recorder;
  const isRecording = state.status === 'recording';
  const isWaiting = state.status === 'opening' || state.status === 'finishing';
  const level = isRecording ? Math.min(1, Math.sqrt(state.level) * 1.8) : 0;
  return (
    <>
      {state.status === 'failed' && <Banner tone="error">{microphoneSentence(state.error)}</Banner>}
      <button
        type="button"
        className={css['microphone']}
        data-state={state.status}
        style={{ '--level': level } as CSSProperties}
        aria-label={LABELS[state.status]}
        disabled={isWaiting}
        onClick={() => (isRecording ? void recorder.stop() : onStart())}
      >
        {state.status === 'finishing' ? (
          <Icon name="more" size={36} />
        ) : (
          <Icon name={isRecording ? 'stop' : 'microphone'} size={36} />
        )}
      </button>
      <p role="status">
        {state.status === 'idle' || state.status === 'failed' ? (
          <>
            Press to speak, or press <kbd>Space</kbd>
          </>
        ) : isRecording ? (
          <span>
            Recording <Timer since={state.startedAt} />
          </span>
        ) : (
          LABELS[state.status]
        )}
      </p>
      {isRecording && state.warning === 'nothing_heard' && (
        <Banner tone="warn">We cannot hear you. Is the right microphone switched on?</Banner>
      )}
      {isRecording && state.warning === 'too_loud' && (
        <Banner tone="warn">Very loud. Move a little away from the microphone.</Banner>
      )}
    </>
  );
}

function Timer({ since }: { since: number }): ReactElement {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(tick);
  }, []);
  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  return (
    <span className={css['timer']}>
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  );
}

function Writing({ isSending, onSend }: { isSending: boolean; onSend: (text: string) => void }): ReactElement {
  const [text, setText] = useState('');
  const submit = (): void => {
    if (text.trim() === '' || isSending) return;
    onSend(text.trim());
    setText('');
  };
  return (
    <div className={css['full']}>
      <TextField
        label="Write your answer"
        value={text}
        onChange={setText}
        onSubmit={submit}
        autoFocus
        maxLength={600}
      />
      <Row>
        <Button look="primary" icon="send" onPress={submit} isDisabled={text.trim() === '' || isSending}>
          Send
        </Button>
        <Quiet small>Enter sends it.</Quiet>
      </Row>
    </div>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, button, a, [role="dialog"], [role="radio"]') !== null;

/** Space begins and ends a turn, Escape ends it, unless something else has the keyboard. */
function useSpaceToTalk(options: { isActive: boolean; recorder: Recorder; start: () => void }): void {
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { isActive, recorder, start } = latest.current;
      const isRecording = recorder.state.status === 'recording';
      if (event.code === 'Escape' && isRecording) return void recorder.stop();
      if (event.code !== 'Space' || event.repeat || isTyping(event.target)) return;
      if (isRecording) {
        event.preventDefault();
        void recorder.stop();
      } else if (isActive && (recorder.state.status === 'idle' || recorder.state.status === 'failed')) {
        event.preventDefault();
        start();
      }
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
