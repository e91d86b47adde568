/** One realtime session between a device and a voice: runs the effects that its reducer decides on. */
import { mayEndRealtimeSession, type Proof, type RealtimeScene } from '@parley/coach/model';
import type { ConversationState } from '@parley/coach';
import type { PlaybackPosition, RealtimeServerMessage } from '@parley/contract';
import { assertNever, createMachine, type LearnerTurn, TurnId } from '@parley/domain';
import type { RealtimeEvent, RealtimeSession, RealtimeUse } from '../../ports/speech/index.ts';
import { createCaptionFilter } from './filter-captions.ts';
import { reduceSession } from './realtime-reducer.ts';
import { type SessionEffect, type SessionInput, type SessionState, startOfSession } from './realtime-state.ts';
import type { RenewingLease } from './renewing-lease.ts';

/** The connection to the device. */
export interface RealtimeConnection {
  send: (message: RealtimeServerMessage) => void;
  sendAudio: (utteranceNumber: number, pcm: Uint8Array) => void;
  /** Sends an error as the last message, instead of `over`. */
  fail: (error: unknown) => void;
}

export interface RealtimeCoachSessionParts {
  connection: RealtimeConnection;
  scene: RealtimeScene;
  conversation: ConversationState;
  /** Whether the session starts on hold. */
  startsOnHold: boolean;
  /** The instructions for the goodbye when time runs out. */
  goodbyeInstructions: string;
  now: () => Date;
  newId: () => string;
  checkEveryMs: number;
  /** Rejects only because of a bug; if a provider fails, no proofs are found. */
  judge: ((before: ConversationState, asked: { said: LearnerTurn; signal: AbortSignal }) => Promise<Proof[]>) | null;
  used: (used: RealtimeUse) => Promise<void>;
}

export interface RealtimeCoachSession {
  /** Handles an event of the voice. */
  onVoiceEvent: (event: RealtimeEvent) => void;
  start: (session: RealtimeSession, lease: RenewingLease) => Promise<void>;
  onLowBalance: (remainingS: number) => void;
  onQuotaExhausted: () => void;
  fail: (error: unknown) => void;
  /** Handles audio from the device. */
  onLearnerAudio: (pcm: Uint8Array) => void;
  onPlayed: (heard: PlaybackPosition) => void;
  setOnHold: (isOn: boolean) => void;
  /** Ends the session at the learner's request, once their last turn has been transcribed. */
  end: () => void;
  /** Ends the session after the device has disconnected. */
  onDisconnect: () => void;
  /** Resolves when the voice is closed, the ledger is written and the lease is released. */
  closed: Promise<void>;
}

interface OpenVoice {
  session: RealtimeSession;
  lease: RenewingLease;
  timer: NodeJS.Timeout;
}

export function createRealtimeCoachSession(parts: RealtimeCoachSessionParts): RealtimeCoachSession {
  const { connection } = parts;
  const judgeAbort = new AbortController();
  const pendingWrites = new Set<Promise<void>>();
  const { promise: closed, resolve: close, reject: breakOff } = Promise.withResolvers<void>();
  const filterCaptions = createCaptionFilter(() => TurnId.parse(parts.newId()));
  const nowMs = (): number => parts.now().getTime();
  const mayEnd = (conversation: ConversationState): boolean => mayEndRealtimeSession(parts.scene, conversation);
  let voice: OpenVoice | null = null;

  const machine = createMachine<SessionState, SessionInput, SessionEffect>({
    state: startOfSession(parts.conversation, { isOnHold: parts.startsOnHold, nowMs: nowMs() }),
    reduce: (state, input) => reduceSession(state, input, { nowMs: nowMs(), mayEnd }),
    run,
  });
  const { dispatch } = machine;

  function run(effect: SessionEffect): void {
    switch (effect.type) {
      case 'send':
        return connection.send(effect.message);
      case 'sendAudio':
        return connection.sendAudio(effect.utterance, effect.pcm);
      case 'speak':
        return voice?.session.speak();
      case 'sayGoodbye':
        return voice?.session.speak(parts.goodbyeInstructions);
      case 'interrupt':
        return voice?.session.interrupt();
      case 'appendAudio':
        return voice?.session.appendAudio(effect.pcm);
      case 'reportPlayback':
        return voice?.session.reportPlayback(effect.position);
      case 'setOnHold':
        return voice?.session.setOnHold(effect.isOnHold);
      case 'finishVoice':
        return void voice?.session.finish().then(() => dispatch({ type: 'voiceFinished' }));
      case 'judge':
        return judge(effect);
      case 'recordUsage':
        return recordUsage(effect.used);
      case 'finish':
        return finish(effect);
      default:
        return assertNever(effect);
    }
  }

  /** Adds no latency, because the coach replies meanwhile. */
  function judge({ itemId, before, said }: Extract<SessionEffect, { type: 'judge' }>): void {
    void parts
      .judge?.(before, { said, signal: judgeAbort.signal })
      .then((proofs) => dispatch({ type: 'judged', itemId, proofs }))
      .catch((error: unknown) => dispatch({ type: 'failed', error }));
  }

  function recordUsage(used: RealtimeUse): void {
    const written = parts.used(used).catch((error: unknown) => dispatch({ type: 'failed', error }));
    pendingWrites.add(written);
    void written.finally(() => pendingWrites.delete(written));
  }

  function finish(effect: Extract<SessionEffect, { type: 'finish' }>): void {
    const { last } = effect;
    judgeAbort.abort();
    if ('error' in last) connection.fail(last.error);
    else connection.send({ type: 'over', reason: last.reason });
    if (voice === null) return close();
    closeVoice(voice, effect).then(close, breakOff);
  }

  async function closeVoice(
    { session, lease, timer }: OpenVoice,
    { outcome, servedUntilMs }: Extract<SessionEffect, { type: 'finish' }>,
  ): Promise<void> {
    clearInterval(timer);
    await session.close();
    await Promise.all(pendingWrites);
    const spokenS = Math.round(session.learnerSpeechMs() / 1_000);
    await lease.end({ outcome, servedUntil: new Date(servedUntilMs), spokenS });
  }

  return {
    onVoiceEvent: (event) => dispatch(filterCaptions(event)),
    start: async (session, lease) => {
      if (machine.state.status === 'over') {
        await session.close();
        return lease.refund();
      }
      const timer = setInterval(() => dispatch({ type: 'timeChecked' }), parts.checkEveryMs);
      timer.unref();
      voice = { session, lease, timer };
      dispatch({ type: 'opened', lease: lease.lease });
    },
    onLowBalance: (remainingS) => dispatch({ type: 'balanceLow', remainingS }),
    onQuotaExhausted: () => dispatch({ type: 'quotaExhausted' }),
    fail: (error) => dispatch({ type: 'failed', error }),
    onLearnerAudio: (pcm) => dispatch({ type: 'learnerAudio', pcm }),
    onPlayed: (position) => dispatch({ type: 'played', position }),
    setOnHold: (isOnHold) => dispatch({ type: 'holdChanged', isOnHold }),
    end: () => dispatch({ type: 'endRequested' }),
    onDisconnect: () => dispatch({ type: 'disconnected' }),
    closed,
  };
}
