/** A call as the window holds it: the microphone goes to the host, the coach's sound comes back, and whoever is spoken over stops. */
import {
  type CallEvent,
  type DeviceSettings,
  PCM_MEDIA_TYPE,
  PCM_SAMPLE_RATE_HZ,
  type SessionView,
} from '@parley/contract';
import type { SessionId } from '@parley/domain';
import type { HostClient } from '../../app/connection.ts';
import {
  createChunkQueue,
  isSpeech,
  type LinePlayer,
  MicrophoneError,
  openLinePlayer,
  openMicrophone,
  type OpenMicrophone,
} from '../../audio/index.ts';
import { type Manner, NOT_YIELDING, speaksAnew, yieldTo } from './yielding.ts';

export interface CallShown {
  /** `again`: the line broke. */
  line: 'calling' | 'again' | 'open';
  /** Who has the word. */
  who: 'nobody' | 'learner' | 'thinking' | 'coach';
  /** What the coach says now, or said last. */
  words: string;
  /** Of the plan, when it was last told; null where nothing is counted. */
  remainingS: number | null;
}

export type CallOver = Extract<CallEvent, { type: 'over' }>['reason'];

export interface CallListener {
  onShown: (shown: CallShown) => void;
  onSession: (session: SessionView) => void;
  /** Loudness of either, 0-1, many times a second. */
  onLevel: (who: 'learner' | 'coach', level: number) => void;
  onOver: (reason: CallOver) => void;
  onFailed: (error: unknown) => void;
}

export interface HeldCall {
  setMuted: (isMuted: boolean) => void;
  setMoment: (isMoment: boolean) => void;
  /** Resolves when all that was said is with the host, which writes it down before the call is over. */
  end: () => Promise<void>;
  /** Without a goodbye: the screen is left. */
  leave: () => void;
}

export interface CallParts {
  client: HostClient;
  sessionId: SessionId;
  settings: Pick<DeviceSettings, 'microphoneId' | 'patienceMs'>;
  takeOver: boolean;
}

/** A piece of sound is on its way sooner than in a turn that nobody hears before its end. */
const CHUNK_MS = 40;
const QUIETER_VOLUME = 0.25;
const BYTES_A_MS = (PCM_SAMPLE_RATE_HZ * 2) / 1_000;

export function holdCall({ client, sessionId, settings, takeOver }: CallParts, listener: CallListener): HeldCall {
  const callId = crypto.randomUUID();
  const leaving = new AbortController();
  const wordsByItem = new Map<string, string>();
  const cut = new Set<string>();
  let shown: CallShown = { line: 'calling', who: 'nobody', words: '', remainingS: null };
  let player: LinePlayer | null = null;
  let microphone: OpenMicrophone | null = null;
  let isMuted = false;
  let isMoment = false;
  let playing: string | null = null;
  /** Where the coach's line is silent and waits. */
  let held: { itemId: string; audioMs: number } | null = null;
  /** The line that was played last, as far as it had come. */
  let drained: { itemId: string; audioMs: number } | null = null;
  let yielding = NOT_YIELDING;

  const show = (change: Partial<CallShown>): void => {
    shown = { ...shown, ...change };
    if (!leaving.signal.aborted) listener.onShown(shown);
  };
  /** What is told in vain was told to a call that is over. */
  const tell = (call: Promise<unknown>): void => void call.catch(() => undefined);
  const queue = createChunkQueue((seq, pcm) =>
    client.call.sound({ callId, seq, pcm: new Blob([pcm], { type: PCM_MEDIA_TYPE }) }),
  );
  /** What came before the host knew of the call; null once it does. */
  let early: ArrayBuffer[] | null = [];
  function send(pcm: ArrayBuffer): void {
    if (early !== null) {
      early.push(pcm);
      return;
    }
    queue.add(pcm);
    // A learner whose sound goes nowhere must be told so.
    queue.drain().catch(fail);
  }

  function hear({ pcm, level }: { pcm: ArrayBuffer; level: number }): void {
    const isSilent = isMuted || isMoment;
    const durationMs = pcm.byteLength / BYTES_A_MS;
    send(isSilent ? new ArrayBuffer(pcm.byteLength) : pcm);
    listener.onLevel('learner', isSilent ? 0 : level);
    const before = yielding.manner;
    yielding =
      playing === null
        ? speaksAnew(yielding)
        : yieldTo(yielding, { isSpeech: !isSilent && isSpeech(level), durationMs });
    if (yielding.voicedMs === durationMs) mark('call:voice', durationMs);
    if (yielding.manner !== before) speak(yielding.manner);
  }

  /** Until the learner goes on, a moment that was asked for keeps the coach silent. */
  function speak(manner: Manner): void {
    if (manner === 'silent' || isMoment) return player?.hold();
    player?.goOn(manner === 'quieter' ? QUIETER_VOLUME : 1);
    if (held === null) return;
    mark('call:goes-on');
    tell(client.call.played({ callId, ...held, isHeld: false }));
    held = null;
  }

  function stopFor(itemId: string): void {
    mark('call:barge-in');
    cut.add(itemId);
    // Between two pieces of it nothing is playing, and all that came before was heard.
    if (playing !== itemId)
      tell(client.call.played({ callId, itemId, audioMs: drained?.itemId === itemId ? drained.audioMs : 0 }));
    player?.stop();
  }

  /** Words of a line have come that nobody has heard yet. */
  const isComing = (): boolean =>
    [...wordsByItem.keys()].some((itemId) => !cut.has(itemId) && itemId !== drained?.itemId);

  function take(event: CallEvent): void {
    switch (event.type) {
      case 'connecting':
        player?.stop();
        if (isMoment) player?.hold();
        // A line that broke within a sentence never says that it has ended.
        wordsByItem.clear();
        return show({ line: event.isAgain ? 'again' : 'calling', who: 'nobody' });
      case 'open':
        return show({ line: 'open', remainingS: event.remainingS });
      case 'coachWords': {
        const words = (wordsByItem.get(event.itemId) ?? '') + event.text;
        wordsByItem.set(event.itemId, words);
        return playing === null || playing === event.itemId ? show({ words }) : undefined;
      }
      case 'coachSound':
        if (!cut.has(event.itemId)) player?.add(event.itemId, samplesOf(event.pcm));
        return;
      case 'coachEnded':
        if (event.itemId === playing || event.itemId === drained?.itemId) wordsByItem.delete(event.itemId);
        return;
      case 'bargeIn':
        return stopFor(event.itemId);
      case 'learnerStarted':
        // Who answers the coach's last word or two does not interrupt it: they are let out under the answer.
        if (playing !== null && yielding.manner === 'silent' && !cut.has(playing)) {
          yielding = { ...yielding, manner: 'quieter' };
          speak('quieter');
        }
        return show({ who: 'learner' });
      case 'learnerSaid':
        // Its words may be known only when the answer is being spoken already.
        return playing === null && !isComing() ? show({ who: 'thinking' }) : undefined;
      case 'session':
        return listener.onSession(event.session);
      case 'quota':
        return show({ remainingS: event.remainingS });
      case 'over':
        return listener.onOver(event.reason);
    }
  }

  async function begin(): Promise<void> {
    // The microphone first: a learner who may not use it has called nobody.
    microphone = await openMicrophone(
      { deviceId: settings.microphoneId, echoCancellation: true, chunkMs: CHUNK_MS },
      { onChunk: hear, onLost: () => fail(new MicrophoneError('unplugged')) },
    );
    player = await openLinePlayer({
      onBegan: (itemId) => {
        playing = itemId;
        mark('call:coach');
        show({ who: 'coach', words: wordsByItem.get(itemId) ?? '' });
      },
      onLevel: (level) => listener.onLevel('coach', level),
      onDrained: (itemId, audioMs) => {
        playing = null;
        tell(client.call.played({ callId, itemId, audioMs }));
        if (shown.who !== 'learner') show({ who: 'nobody' });
        drained = { itemId, audioMs };
      },
      onHeld: (itemId, audioMs) => {
        mark('call:silent');
        held = { itemId, audioMs };
        tell(client.call.played({ callId, ...held, isHeld: true }));
      },
      onStopped: (itemId, audioMs) => {
        mark('call:stopped');
        held = null;
        if (playing !== null && itemId === playing) tell(client.call.played({ callId, itemId, audioMs }));
        playing = null;
      },
    });
    leaving.signal.throwIfAborted();
    const wish = { callId, sessionId, takeOver, patienceMs: settings.patienceMs };
    for await (const event of await client.call.hold(wish, { signal: leaving.signal })) {
      if (leaving.signal.aborted) return;
      const waiting = early ?? [];
      early = null;
      for (const pcm of waiting) send(pcm);
      take(event);
    }
  }

  function leave(): void {
    leaving.abort();
    player?.stop();
    tell(Promise.all([microphone?.close(), player?.close()]));
  }
  function fail(error: unknown): void {
    if (leaving.signal.aborted) return;
    leave();
    listener.onFailed(error);
  }

  begin().then(
    () => leave(),
    (error: unknown) => {
      if (leaving.signal.aborted) leave();
      else fail(error);
    },
  );
  return {
    setMuted: (wanted) => {
      isMuted = wanted;
    },
    setMoment: (wanted) => {
      isMoment = wanted;
      speak(yielding.manner);
      tell(client.call.giveMeAMoment({ callId, on: wanted }));
    },
    end: async () => {
      player?.stop();
      await microphone?.close();
      // What cannot be told was told to a call that is over.
      await queue
        .drain()
        .then(() => client.call.end({ callId }))
        .catch(() => undefined);
    },
    leave,
  };
}

function samplesOf(base64: string): Int16Array {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Int16Array(bytes.buffer);
}

/** When it happened, for whoever measures; `agoMs`: the chunk that tells of it began earlier. */
const mark = (name: string, agoMs = 0): void =>
  void performance.mark(name, { startTime: Math.max(0, performance.now() - agoMs) });
