/** Controls a realtime session in the window: runs the effects that its reducer decides on, with the microphone, the player and the host. */
import { type DeviceSettings, PCM_MEDIA_TYPE, type SessionView } from '@parley/contract';
import { assertNever, createMachine, type SessionId } from '@parley/domain';
import type { HostClient } from '../../foundation/host/host-connection.ts';
import {
  type AudioProcessing,
  createChunkQueue,
  isSpeech,
  type PcmPlayer,
  openPcmPlayer,
  openMicrophone,
  type OpenMicrophone,
  type Speaker,
} from '../../audio/index.ts';
import {
  CALL_START,
  type CallEffect,
  type CallEndReason,
  type CallInput,
  type CallState,
  type CallView,
  reduceCall,
} from './call-reducer.ts';

export interface CallListener {
  onView: (shown: CallView) => void;
  onSession: (session: SessionView) => void;
  /** The loudness of the learner or the coach, 0-1, many times a second. */
  onLevel: (who: 'learner' | 'coach', level: number) => void;
  onEnded: (reason: CallEndReason) => void;
  onFailed: (error: unknown) => void;
}

export interface CallController {
  setMuted: (isMuted: boolean) => void;
  setOnHold: (isOnHold: boolean) => void;
  /** Resolves when the host has all of the audio; the host transcribes it before it ends the call. */
  end: () => Promise<void>;
  /** Ends the call because the computer is going to sleep. Everything said until then is kept. */
  sleep: () => void;
  /** Closes the call at once because the learner leaves the screen. */
  leave: () => void;
}

export interface CallControllerOptions {
  client: HostClient;
  sessionId: SessionId;
  settings: Pick<DeviceSettings, 'microphoneId' | 'patienceMs'> & { processing: AudioProcessing };
  takeOver: boolean;
  cue: Speaker['cue'];
}

/** Shorter than in a recorded turn, because the coach reacts while the learner speaks. */
const CHUNK_MS = 40;

export function createCallController(
  { client, sessionId, settings, takeOver, cue }: CallControllerOptions,
  listener: CallListener,
): CallController {
  const callId = crypto.randomUUID();
  const abortController = new AbortController();
  let player: PcmPlayer | null = null;
  let microphone: OpenMicrophone | null = null;

  const { dispatch } = createMachine<CallState, CallInput, CallEffect>({ state: CALL_START, reduce: reduceCall, run });
  const fail = (error: unknown): void => dispatch({ type: 'failed', error });
  /** A report that fails was sent to a call that has ended, so its error is ignored. */
  const ignoreErrors = (call: Promise<unknown>): void => void call.catch(() => undefined);
  const sendQueue = createChunkQueue((seq, pcm) =>
    client.call.sound({ callId, seq, pcm: new Blob([pcm], { type: PCM_MEDIA_TYPE }) }),
  );

  function run(effect: CallEffect): void {
    switch (effect.type) {
      case 'show':
        return listener.onView(effect.view);
      case 'showSession':
        return listener.onSession(effect.session);
      case 'showLevel':
        return listener.onLevel('learner', effect.level);
      case 'reportEnded':
        return listener.onEnded(effect.reason);
      case 'reportFailed':
        return listener.onFailed(effect.error);
      case 'sendAudio':
        sendQueue.add(effect.pcm);
        // The learner must be told when their audio cannot be sent.
        return void sendQueue.drain().catch(fail);
      case 'sendPlayed':
        return ignoreErrors(client.call.played({ callId, ...effect.position }));
      case 'sendHold':
        return ignoreErrors(client.call.setOnHold({ callId, on: effect.isOnHold }));
      case 'play':
        return player?.enqueue(effect.itemId, decodePcm(effect.pcm));
      case 'stopPlayer':
        return player?.stop();
      case 'pausePlayer':
        return player?.pause();
      case 'resumePlayer':
        return player?.resumeAt(effect.volume);
      case 'mark':
        return setMark(effect.name, effect.agoMs);
      case 'close':
        return close();
      default:
        return assertNever(effect);
    }
  }

  let isClosed = false;
  function close(): void {
    abortController.abort();
    player?.stop();
    const wasOpen = microphone !== null && !isClosed;
    isClosed ||= wasOpen;
    const closing = Promise.all([microphone?.close(), player?.close()]);
    ignoreErrors(wasOpen ? closing.then(() => cue('stop')) : closing);
  }

  async function start(): Promise<void> {
    // Opens the microphone first, so that a learner without permission does not start a call.
    microphone = await openMicrophone(
      {
        deviceId: settings.microphoneId,
        processing: settings.processing,
        chunkMs: CHUNK_MS,
        // In a call, both may speak at any time, so there is no cue for the learner's turn.
        beforeCapture: () => cue('start'),
        signal: abortController.signal,
      },
      {
        onChunk: ({ pcm, level }) => dispatch({ type: 'microphoneChunk', pcm, level, isSpeech: isSpeech(level) }),
        onReplaced: (replacement) => dispatch({ type: 'microphoneReplaced', replacement }),
        onLost: fail,
      },
    );
    player = await openPcmPlayer({
      onStarted: (itemId) => dispatch({ type: 'playbackStarted', itemId }),
      onLevel: (level) => listener.onLevel('coach', level),
      onDrained: (itemId, audioMs) => dispatch({ type: 'playbackDrained', itemId, audioMs }),
      onPaused: (itemId, audioMs) => dispatch({ type: 'playbackPaused', itemId, audioMs }),
      onStopped: (itemId, audioMs) => dispatch({ type: 'playbackStopped', itemId, audioMs }),
    });
    abortController.signal.throwIfAborted();
    const request = { callId, sessionId, takeOver, patienceMs: settings.patienceMs };
    for await (const event of await client.call.start(request, { signal: abortController.signal }))
      dispatch({ type: 'eventReceived', event });
  }

  start()
    .then(() => dispatch({ type: 'left' }), fail)
    // If the call is left while the microphone is being opened, the microphone still has to be closed.
    .finally(() => close())
    .catch(() => undefined);
  return {
    setMuted: (isMuted) => dispatch({ type: 'muteChanged', isMuted }),
    setOnHold: (isOnHold) => dispatch({ type: 'holdChanged', isOnHold }),
    end: async () => {
      dispatch({ type: 'endRequested' });
      await microphone?.close();
      // An error here means that the call has already ended.
      await sendQueue
        .drain()
        .then(() => client.call.end({ callId }))
        .catch(() => undefined);
    },
    sleep: () => dispatch({ type: 'slept' }),
    leave: () => dispatch({ type: 'left' }),
  };
}

function decodePcm(base64: string): Int16Array {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Int16Array(bytes.buffer);
}

const setMark = (name: string, agoMs: number): void =>
  void performance.mark(name, { startTime: Math.max(0, performance.now() - agoMs) });
