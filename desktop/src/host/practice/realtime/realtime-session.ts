/** One realtime session: runs the effects that its reducer decides on, over the connection, the recordings and the store. */
import {
  type RealtimeEvent,
  type PlaybackPosition,
  PCM_SAMPLE_RATE_HZ,
  REALTIME_BYTES_PER_MS,
  REALTIME_SAMPLE_RATE_HZ,
} from '@parley/contract';
import { assertNever, createMachine, type SessionId, type TurnId } from '@parley/domain';
import { createResampler, decodePcm16, encodePcm16 } from '@parley/speech/wav';
import type { HostFailure } from '../../result/index.ts';
import { type RealtimeConnection, type CoachClient, CoachError } from '../../coach/index.ts';
import { isDiskFullError } from '../../store/index.ts';
import { toConversationSnapshot } from '../session/model-coach.ts';
import { createAudioHistory } from './audio-history.ts';
import { createRealtimeRecord, type RealtimeRecordParts } from './realtime-record.ts';
import { reduceRealtime } from './realtime-reducer.ts';
import {
  type AudioRange,
  REALTIME_START,
  type RealtimeEffect,
  type RealtimeInput,
  type RealtimeOutcome,
  type RealtimeState,
} from './realtime-state.ts';
import { createTurnRecorder } from './turn-recorder.ts';

export interface RealtimeSessionOptions {
  sessionId: SessionId;
  takeOver: boolean;
  /** Length of the silence that ends a turn; `null` lets the coach decide. */
  patienceMs: number | null;
  /** Unsent audio from before a disconnect or crash: 16-bit mono PCM at 16 kHz. */
  unsentAudio: Uint8Array | null;
  /** Called as soon as no more audio is accepted. */
  whenOver: () => void;
}

export interface RealtimeSessionParts extends RealtimeRecordParts {
  coach: CoachClient;
}

export interface RealtimeSession {
  /** The last event is `over` or the failure. */
  events: ReadableStream<RealtimeEvent | CoachError>;
  pushAudio(pcm: Uint8Array): void;
  onPlayed(heard: PlaybackPosition): void;
  setOnHold(isOn: boolean): void;
  end(): void;
  /** Ends the session without notifying the server. */
  abort(failure: HostFailure | null): void;
  /** Resolves when no more audio is accepted and everything said is stored. */
  whenOver(): Promise<void>;
  /** Resolves when the scores in progress are stored. */
  whenScored(): Promise<void>;
}

const FRAME_BYTES = 500 * REALTIME_BYTES_PER_MS;
/** Limits for speech without recognised words: how much makes it worth keeping, and how often in one call. */
const MIN_KEPT_SPEECH_MS = 600;
const MAX_KEPT_WITHOUT_WORDS = 10;

export function createRealtimeSession(parts: RealtimeSessionParts, options: RealtimeSessionOptions): RealtimeSession {
  const { recordings, logger } = parts;
  const { sessionId } = options;
  const record = createRealtimeRecord(parts, sessionId);
  const audioHistory = createAudioHistory();
  const recorder = createTurnRecorder({ recordings, sessionId, audioHistory });
  const connection = createCurrentConnection();
  const queue = createEventQueue();
  const timers = new Set<NodeJS.Timeout>();
  let hasFailed = false;
  let keptWithoutWords = 0;
  const { promise: isOverNow, resolve: resolveOver } = Promise.withResolvers<void>();

  const machine = createMachine<RealtimeState, RealtimeInput, RealtimeEffect>({
    state: REALTIME_START,
    // The computer's clock may be set during a call.
    reduce: (state, input) => reduceRealtime(state, input, performance.now()),
    run: runToEnd,
  });
  const { dispatch } = machine;

  /**
   * A failing effect must not prevent the final one from ending the session, because the end of the practice session
   * waits for it.
   */
  function runToEnd(effect: RealtimeEffect): void {
    // After a failed effect, the remaining effects of that step could discard what it left unstored.
    if (hasFailed && machine.state.status !== 'over') return;
    try {
      run(effect);
    } catch (error) {
      logger.error({ err: error, sessionId }, 'realtime_session_not_stored');
      fail({ code: isDiskFullError(error) ? 'storage.full' : 'internal' });
    }
  }

  function fail(failure: HostFailure): void {
    hasFailed = true;
    dispatch({ type: 'aborted', failure });
  }

  function run(effect: RealtimeEffect): void {
    switch (effect.type) {
      case 'emit':
        return queue.push(effect.event);
      case 'emitCoachSound':
        return queue.push({
          type: 'coachAudio',
          itemId: effect.itemId,
          pcm: Buffer.from(effect.pcm).toString('base64'),
        });
      case 'showSession': {
        const session = record.view();
        return session === null ? undefined : queue.push({ type: 'session', session });
      }
      case 'connect':
        return connect(effect);
      case 'send':
        return connection.current()?.sendMessage(effect.message);
      case 'sendAudio':
        return connection.sendAudio(effect.pcm);
      case 'sendMissedAudio':
        return connection.sendAudio(audioHistory.slice(effect.range.fromMs, effect.range.toMs));
      case 'schedule':
        return schedule(effect.afterMs, effect.input);
      case 'keepAudio':
        audioHistory.append(effect.pcm);
        return recorder.pushAudio(effect.pcm);
      case 'record':
        return recorder.record(effect.fromMs);
      case 'restartRecording':
        return recorder.restart(effect.fromMs);
      case 'discardRecording':
        return recorder.discard();
      case 'storeLearnerTurn':
        return storeLearnerTurn(effect);
      case 'storeUnsentTurn':
        return void storeTurn(null, effect.range);
      case 'keepWordlessSpeech':
        return keepWordlessSpeech(effect.range);
      case 'storeCoachTurn':
        return record.addCoachTurn(effect.text, effect.kind);
      case 'setTranscript':
        return record.setTranscript(effect.turnId, effect.words);
      case 'markDeclined':
        return record.markDeclined();
      case 'storeProof':
        return record.addProof(effect.turnId, effect.proof);
      case 'score':
        return void record.score(effect.turnId).then(() => dispatch({ type: 'scored' }));
      case 'finish':
        return finish(effect);
      default:
        return assertNever(effect);
    }
  }

  function schedule(afterMs: number, input: RealtimeInput): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      dispatch(input);
    }, afterMs);
    timers.add(timer);
  }

  function connect({ connectionId, isFirst, isOnHold }: Extract<RealtimeEffect, { type: 'connect' }>): void {
    const session = record.session();
    if (session === null) return dispatch({ type: 'practiceGone' });
    const { patienceMs } = options;
    const takeOver = options.takeOver && isFirst;
    connection.use(
      parts.coach.openRealtime(
        { held: toConversationSnapshot(session), patienceMs, takeOver, isMoment: isOnHold },
        {
          onMessage: (message) => dispatch({ type: 'messageReceived', connectionId, message }),
          sound: (utterance, pcm) => dispatch({ type: 'coachAudioReceived', connectionId, utterance, pcm }),
          onPing: () => dispatch({ type: 'pingReceived', connectionId }),
          onClosed: (failure) => dispatch({ type: 'connectionLost', connectionId, failure }),
        },
      ),
    );
  }

  /** Returns null if nothing was stored. */
  function storeTurn(words: string | null, range: AudioRange): TurnId | null {
    if (words === null && !recorder.hasSpeech(range)) return null;
    const kept = recorder.cutTurn(range);
    if (!kept.ok) logger.warn({ sessionId, code: kept.error.code }, 'realtime_turn_stored_without_audio');
    if (!kept.ok && words === null) {
      fail(kept.error);
      return null;
    }
    return record.addLearnerTurn(words, kept.ok ? kept.value : null);
  }

  function storeLearnerTurn({ itemId, words, range }: Extract<RealtimeEffect, { type: 'storeLearnerTurn' }>): void {
    const turnId = storeTurn(words, range);
    if (turnId !== null) dispatch({ type: 'turnStored', itemId, turnId });
  }

  /**
   * Keeps speech that may have been an answer. Coughs and key presses are shorter, and a noisy room must not fill the
   * result.
   */
  function keepWordlessSpeech(range: AudioRange): void {
    if (keptWithoutWords >= MAX_KEPT_WITHOUT_WORDS || recorder.speechMs(range) < MIN_KEPT_SPEECH_MS) return;
    const kept = recorder.cutTurn(range);
    if (!kept.ok) return logger.warn({ sessionId, code: kept.error.code }, 'wordless_speech_not_kept');
    keptWithoutWords += 1;
    recordings.keepWaitingAsUnsent(sessionId);
  }

  function finish({ unstoredFromMs, last }: Extract<RealtimeEffect, { type: 'finish' }>): void {
    for (const timer of timers) clearTimeout(timer);
    connection.current()?.close();
    try {
      // After a failure, the recording may contain a turn that counted as stored.
      recorder.close(hasFailed ? 0 : unstoredFromMs);
    } finally {
      notifyEnded(last);
    }
  }

  function notifyEnded(last: RealtimeOutcome): void {
    try {
      options.whenOver();
    } finally {
      // This comes first, because the window may have closed the queue.
      resolveOver();
      queue.push('failure' in last ? new CoachError(last.failure) : { type: 'over', reason: last.reason });
      queue.close();
    }
  }

  dispatch({ type: 'started', unsentAudio: options.unsentAudio });
  return {
    events: queue.events,
    pushAudio: (pcm) => dispatch({ type: 'learnerAudio', pcm }),
    onPlayed: (position) => dispatch({ type: 'played', position }),
    setOnHold: (isOnHold) => dispatch({ type: 'holdChanged', isOnHold }),
    end: () => dispatch({ type: 'endRequested' }),
    abort: (failure) => dispatch({ type: 'aborted', failure }),
    whenOver: () => isOverNow,
    whenScored: record.whenScored,
  };
}

/** The connection that was dialled last; its audio is resampled as one continuous signal. */
function createCurrentConnection() {
  let connection: RealtimeConnection | null = null;
  let resample = createResampler(PCM_SAMPLE_RATE_HZ, REALTIME_SAMPLE_RATE_HZ);
  return {
    current: () => connection,
    use(dialled: RealtimeConnection): void {
      connection = dialled;
      resample = createResampler(PCM_SAMPLE_RATE_HZ, REALTIME_SAMPLE_RATE_HZ);
    },
    sendAudio(pcm: Uint8Array): void {
      if (pcm.byteLength === 0) return;
      const sound = encodePcm16(resample(decodePcm16(pcm)));
      for (let at = 0; at < sound.byteLength; at += FRAME_BYTES)
        connection?.sendAudio(sound.subarray(at, at + FRAME_BYTES));
    },
  };
}

type QueuedEvent = RealtimeEvent | CoachError;

/** Events wait for a slow reader because none of them may be dropped. */
function createEventQueue(): {
  events: ReadableStream<QueuedEvent>;
  push: (event: QueuedEvent) => void;
  close: () => void;
} {
  let controller: ReadableStreamDefaultController<QueuedEvent> | undefined;
  const events = new ReadableStream<QueuedEvent>({
    start: (opened) => {
      controller = opened;
    },
  });
  return { events, push: (event) => controller?.enqueue(event), close: () => controller?.close() };
}
