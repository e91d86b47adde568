/** The learner's turn: speak, see what was heard, send; or write; or ask for a hint. */
import {
  type DeviceSettings,
  type HeardTurn,
  MAX_TURN_MS,
  MAX_TYPED_CHARACTERS,
  type SessionView,
} from '@parley/contract';
import type { TurnId } from '@parley/domain';
import { Banner, Button, Quiet, Row, TextField } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { errorCode } from '../app/error-sentence.ts';
import { FailureBanner } from '../app/screen.tsx';
import { MicrophoneTrouble, TalkButton, useRecorder, useSpaceToTalk, useSpeaker } from '../audio/index.ts';
import { HeardCard } from './heard-card.tsx';
import { HintLadder, NO_HINT } from './hint-ladder.tsx';
import css from './practice.module.css';
import { type Draft, useDraft } from './use-draft.ts';

export interface TurnDockProps {
  session: SessionView;
  settings: DeviceSettings;
  onSession: (session: SessionView) => void;
}

export function TurnDock({ session, settings, onSession }: TurnDockProps): ReactElement {
  const { client } = useHost();
  const { sessionId } = session;
  const speaker = useSpeaker();
  const draft = useDraft(sessionId);
  const [isWriting, setWriting] = useState(session.communicationStyle === 'text');
  const hadBegun = draft.isRestored && session.waitingTurn === null;
  useEffect(() => {
    // Whoever had begun to write goes on writing.
    if (hadBegun) setWriting(true);
  }, [hadBegun]);
  const [hint, setHint] = useState(NO_HINT);
  const turnCount = session.turns.length;
  useEffect(() => setHint(NO_HINT), [turnCount]);
  const hintLevel = useRef(hint.level);
  hintLevel.current = hint.level;

  const showWaiting = (waitingTurn: HeardTurn): void => onSession({ ...session, waitingTurn });
  const recorder = useRecorder({
    microphoneId: settings.microphoneId,
    patienceMs: settings.patienceMs,
    maxMs: MAX_TURN_MS,
    begin: async () => {
      const { turnId } = await client.practice.beginTurn({ sessionId });
      // What waited until now has given way to this.
      if (session.waitingTurn !== null) onSession({ ...session, waitingTurn: null });
      return {
        send: (seq, pcm) => client.practice.appendAudio({ sessionId, turnId, seq, pcm }),
        finish: async () =>
          showWaiting(await client.practice.finishTurn({ sessionId, turnId, hintLevel: hintLevel.current })),
      };
    },
  });
  const send = useMutation({
    mutationFn: (turnId: TurnId) => client.practice.sendTurn({ sessionId, turnId }),
    onSuccess: (view) => {
      draft.wasSent(null);
      onSession(view);
    },
  });
  const name = useMutation({
    mutationFn: (turn: { turnId: TurnId; text: string }) => client.practice.nameTurn({ sessionId, ...turn }),
    onSuccess: showWaiting,
  });
  const hearAgain = useMutation({
    mutationFn: async ({ turnId, moveHere }: { turnId: TurnId; moveHere: boolean }) => {
      if (moveHere) await client.practice.takeOver({ sessionId });
      return client.practice.hearAgain({ sessionId, turnId });
    },
    onSuccess: showWaiting,
  });
  const write = useMutation({
    mutationFn: async (text: string) => {
      await draft.keepNow();
      return client.practice.sendTyped({ sessionId, text, hintLevel: hintLevel.current });
    },
    onSuccess: (view, text) => {
      draft.wasSent(text);
      onSession(view);
    },
  });
  const failure = [send, name, hearAgain, write, draft].find(({ error }) => error !== null)?.error ?? null;
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
      {waiting !== null && !isBusy && !isWriting ? (
        <>
          {waiting.isInterrupted && <Interrupted waiting={waiting} />}
          {recorder.state.status === 'failed' && errorCode(recorder.state.error) !== 'turn.interrupted' && (
            <MicrophoneTrouble error={recorder.state.error} />
          )}
          <HeardCard
            heard={waiting}
            draft={draft}
            isSending={send.isPending || name.isPending || hearAgain.isPending}
            onSend={() => send.mutate(waiting.turnId)}
            // What waits gives way only when there is a microphone that records something else.
            onRedo={startRecording}
            onName={(text) => name.mutate({ turnId: waiting.turnId, text })}
            onHearAgain={(moveHere) => hearAgain.mutate({ turnId: waiting.turnId, moveHere })}
            // What is written takes its place when it is sent; until then it can be come back to.
            onWrite={() => setWriting(true)}
          />
        </>
      ) : isWriting && !isBusy ? (
        <Writing draft={draft} isSending={write.isPending} onSend={(text) => write.mutate(text)} />
      ) : (
        <TalkButton recorder={recorder} onStart={startRecording} stopLabel="Stop and see what was heard" showsText />
      )}
      {(waiting === null || isWriting) && !isBusy && (
        <>
          <HintLadder key={turnCount} session={session} hint={hint} onHint={setHint} />
          <Button look="quiet" icon={isWriting ? 'microphone' : 'keyboard'} onPress={() => setWriting(!isWriting)}>
            {!isWriting ? 'Write instead' : waiting === null ? 'Speak instead' : 'Back to what you said'}
          </Button>
        </>
      )}
      {failure !== null && errorCode(failure) !== 'turn.not_found' && <FailureBanner error={failure} />}
    </>
  );
}

/** What cannot be scored cannot be sent either: its card says what to do. */
function Interrupted({ waiting: { status } }: { waiting: HeardTurn }): ReactElement {
  return (
    <Banner tone="warn">
      {status === 'unusable'
        ? 'Your recording was interrupted, but what you said until then is kept.'
        : 'Your recording was interrupted, but what you said until then is kept: send it or say it again.'}
    </Banner>
  );
}

interface WritingProps {
  draft: Draft;
  isSending: boolean;
  onSend: (text: string) => void;
}

function Writing({ draft: { text, setText }, isSending, onSend }: WritingProps): ReactElement | null {
  if (text === null) return null;
  const submit = (): void => {
    if (text.trim() !== '' && !isSending) onSend(text.trim());
  };
  return (
    <div className={css['full']}>
      <TextField
        label="Write your answer"
        value={text}
        onChange={setText}
        onSubmit={submit}
        autoFocus
        maxLength={MAX_TYPED_CHARACTERS}
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
