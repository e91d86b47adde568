/** The controls of the learner's turn: record, check the transcript and send; or type; or ask for a hint. */
import { t } from '@parley/i18n';
import { type DeviceSettings, type WaitingTurn, MAX_TYPED_CHARACTERS, type SessionView } from '@parley/contract';
import type { TurnId } from '@parley/domain';
import { Banner, Button, MutedText, Row, TextField } from '@parley/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { errorCode } from '../../foundation/sentences/error-sentence.ts';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import {
  MicrophoneErrorBanner,
  RecordButton,
  patienceOf,
  useChooseMicrophone,
  useRecorder,
  useSpaceToRecord,
  useSpeaker,
} from '../../audio/index.ts';
import { HeardTurn } from './heard-turn.tsx';
import { WaitingTurnCard } from './waiting-turn-card.tsx';
import { HintLadder, HintsToRead, NO_HINT } from '../hints/hint-ladder.tsx';
import css from '../practice.module.css';
import { type Draft, useDraft } from './use-draft.ts';
import { useYourTurnCue } from './use-your-turn-cue.ts';
import { wasUnderstood } from './was-understood.ts';

export interface TurnDockProps {
  session: SessionView;
  settings: DeviceSettings;
  /** The coach's turn that has been spoken. */
  spokenTurnId: TurnId | null;
  /** Whether the turn records as soon as it begins, because the learner has interrupted the coach. */
  startsRecording: boolean;
  onRecording: () => void;
  /** Whether the learner has spoken since they typed the draft, so that the draft waits until they choose to write. */
  isDraftSetAside: boolean;
  onDraftSetAside: (isSetAside: boolean) => void;
  /** Called when a recording begins and when it has ended. */
  onBusy: (isBusy: boolean) => void;
  onSession: (session: SessionView) => void;
}

export function TurnDock(props: TurnDockProps): ReactElement {
  const {
    session,
    settings,
    spokenTurnId,
    startsRecording,
    onRecording,
    isDraftSetAside,
    onDraftSetAside,
    onBusy,
    onSession,
  } = props;
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const chooseMicrophone = useChooseMicrophone();
  const { sessionId } = session;
  const speaker = useSpeaker();
  const draft = useDraft(sessionId);
  const [isTyping, setTyping] = useState(session.communicationStyle === 'text');
  const [hasSwitched, setSwitched] = useState(false);
  const startTyping = (): void => {
    setTyping(true);
    onDraftSetAside(false);
  };
  const switchMode = (): void => {
    if (isTyping) setTyping(false);
    else startTyping();
    setSwitched(true);
  };
  const hasDraft = draft.isRestored && session.waitingTurn === null && !isDraftSetAside;
  useEffect(() => {
    // A restored draft means that the learner was typing.
    if (hasDraft) setTyping(true);
  }, [hasDraft]);
  const [hint, setHint] = useState(NO_HINT);
  const turnCount = session.turns.length;
  useEffect(() => setHint(NO_HINT), [turnCount]);
  const hintLevel = useRef(hint.level);
  hintLevel.current = hint.level;

  /**
   * Changes the session as it is by then, because turns from another device may have arrived since the recording began.
   */
  const setWaitingTurn = (waitingTurn: WaitingTurn | null): void =>
    void cache.setQueryData(
      queries.practice.session.queryKey({ input: { sessionId } }),
      (shown) => shown && { ...shown, waitingTurn },
    );
  const recorder = useRecorder({
    microphoneId: settings.microphoneId,
    patience: patienceOf(settings),
    openUpload: async () => {
      const { turnId } = await client.practice.beginTurn({ sessionId, replaces: session.waitingTurn?.turnId ?? null });
      setWaitingTurn(null);
      return {
        send: (seq, pcm) => client.practice.appendAudio({ sessionId, turnId, seq, pcm }),
        finish: async () => {
          const heard = await client.practice.finishTurn({ sessionId, turnId, hintLevel: hintLevel.current });
          setWaitingTurn(heard);
          return { wasUnderstood: wasUnderstood(heard) };
        },
      };
    },
  });
  const { dismissFailure } = recorder;
  useEffect(dismissFailure, [turnCount, dismissFailure]);
  const sendTurn = useMutation({
    mutationFn: async (turnId: TurnId) => {
      await draft.saveNow();
      return client.practice.sendTurn({ sessionId, turnId });
    },
    onSuccess: onSession,
  });
  const correctTranscript = useMutation({
    mutationFn: async (turn: { turnId: TurnId; text: string }) => {
      await draft.saveNow();
      return client.practice.correctTranscript({ sessionId, ...turn });
    },
    onSuccess: (heard, { text }) => {
      draft.clearAfterSend(text);
      setWaitingTurn(heard);
    },
  });
  const retranscribe = useMutation({
    mutationFn: async ({ turnId, moveHere }: { turnId: TurnId; moveHere: boolean }) => {
      if (moveHere) await client.practice.takeOver({ sessionId });
      return client.practice.reassessTurn({ sessionId, turnId });
    },
    onSuccess: setWaitingTurn,
  });
  const sendTypedAnswer = useMutation({
    mutationFn: async (text: string) => {
      await draft.saveNow();
      return client.practice.sendTyped({
        sessionId,
        text,
        hintLevel: hintLevel.current,
        replaces: session.waitingTurn?.turnId ?? null,
      });
    },
    onSuccess: (view, text) => {
      draft.clearAfterSend(text);
      onSession(view);
    },
  });
  const firstError =
    [sendTurn, correctTranscript, retranscribe, sendTypedAnswer, draft].find(({ error }) => error !== null)?.error ??
    null;
  const waiting = session.waitingTurn;
  const startRecording = (): void => {
    onDraftSetAside(true);
    speaker.stop();
    void recorder.start();
  };
  const start = useRef(startRecording);
  start.current = startRecording;
  const hasStarted = useRef(onRecording);
  hasStarted.current = onRecording;
  useEffect(() => {
    if (!startsRecording) return;
    hasStarted.current();
    start.current();
  }, [startsRecording]);
  const isBusy =
    recorder.state.status === 'recording' ||
    recorder.state.status === 'opening' ||
    recorder.state.status === 'finishing';
  const reportBusy = useRef(onBusy);
  reportBusy.current = onBusy;
  useEffect(() => {
    reportBusy.current(isBusy);
    return () => reportBusy.current(false);
  }, [isBusy]);
  useYourTurnCue({ session, spokenTurnId, isBusy });
  const isSending = sendTurn.isPending || correctTranscript.isPending || retranscribe.isPending;
  const showsWaitingTurn = waiting !== null && !isBusy && !isTyping;
  useSpaceToRecord({ isActive: !isTyping && waiting === null, recorder, start: startRecording });
  return (
    <>
      <HeardTurn
        waiting={showsWaitingTurn ? waiting : null}
        isBusy={isSending}
        onCorrect={(text) => waiting !== null && correctTranscript.mutate({ turnId: waiting.turnId, text })}
      />
      {showsWaitingTurn ? (
        <>
          {waiting.isInterrupted && <InterruptedNotice waiting={waiting} />}
          {recorder.state.status === 'failed' && errorCode(recorder.state.error) !== 'turn.interrupted' && (
            <MicrophoneErrorBanner error={recorder.state.error} />
          )}
          <WaitingTurnCard
            // A turn that has been scored in the meantime is announced like a new card. One that is scored again keeps
            // its details open.
            key={waiting.status}
            heard={waiting}
            draft={draft}
            isSending={isSending}
            onSend={() => sendTurn.mutate(waiting.turnId)}
            // The waiting turn is replaced only once the microphone is open and recording.
            onRecordAgain={startRecording}
            onCorrectTranscript={(text) => correctTranscript.mutate({ turnId: waiting.turnId, text })}
            onRetranscribe={(moveHere) => retranscribe.mutate({ turnId: waiting.turnId, moveHere })}
            // The waiting turn stays until the typed answer is sent, so the learner can go back to it.
            onTypeInstead={startTyping}
            onChooseMicrophone={chooseMicrophone}
          />
        </>
      ) : isTyping && !isBusy ? (
        <TypedAnswer
          draft={draft}
          isSending={sendTypedAnswer.isPending}
          onSend={(text) => sendTypedAnswer.mutate(text)}
        />
      ) : (
        <RecordButton
          recorder={recorder}
          onStart={startRecording}
          stopLabel={t('Stop and check what we heard')}
          showsText
          autoFocus={hasSwitched}
        />
      )}
      {isBusy && hint.level > 0 && <HintsToRead hint={hint} />}
      {(waiting === null || isTyping) && !isBusy && (
        <div className={css['dockRow']}>
          <div>
            <HintLadder key={turnCount} session={session} hint={hint} onHint={setHint} />
          </div>
          <Button variant="quiet" icon={isTyping ? 'microphone' : 'keyboard'} onPress={switchMode}>
            {!isTyping ? t('Write instead') : waiting === null ? t('Speak instead') : t('Back to what you said')}
          </Button>
        </div>
      )}
      {firstError !== null && errorCode(firstError) !== 'turn.not_found' && <ErrorBanner error={firstError} />}
    </>
  );
}

/** A recording that is unusable or still being assessed cannot be sent, so this text does not offer it. */
function InterruptedNotice({ waiting: { status } }: { waiting: WaitingTurn }): ReactElement {
  return (
    <Banner tone="warn">
      {status === 'unusable' || status === 'assessing'
        ? t('Your recording was interrupted, but what you said until then is kept.')
        : t('Your recording was interrupted, but what you said until then is kept: send it or say it again.')}
    </Banner>
  );
}

interface TypedAnswerProps {
  draft: Draft;
  isSending: boolean;
  onSend: (text: string) => void;
}

function TypedAnswer({ draft: { text, setText }, isSending, onSend }: TypedAnswerProps): ReactElement | null {
  if (text === null) return null;
  const submit = (): void => {
    if (text.trim() !== '' && !isSending) onSend(text.trim());
  };
  return (
    <div className={css['full']}>
      <TextField
        label={t('Write your answer')}
        value={text}
        onChange={setText}
        onSubmit={submit}
        autoFocus
        maxLength={MAX_TYPED_CHARACTERS}
      />
      <Row>
        <Button variant="primary" icon="send" onPress={submit} isDisabled={text.trim() === '' || isSending}>
          {t('Send')}
        </Button>
        <MutedText small>{t('Enter sends it.')}</MutedText>
      </Row>
    </div>
  );
}
