/** The decisions of a realtime session on the server, without I/O: what the device is told, what the coach is asked, and when it ends. */
import { REALTIME_BYTES_PER_MS } from '@parley/contract';
import { assertNever, GOODBYE_GRACE_S } from '@parley/domain';
import { HEARTBEAT_TIMEOUT_S } from '../../metering/index.ts';
import type {
  RunningSession,
  SessionContext,
  SessionEffect,
  SessionInput,
  SessionState,
  SessionStep,
} from './realtime-state.ts';
import { isCoachsTurn, learnerTurn, withCoachTurn, withObjective, withTurn } from './realtime-transcript.ts';

/** A learner who is silent for this long has left, and the silence must not use up their minutes. */
const IDLE_TIMEOUT_MS = 180_000;
/** Providers end a session after an hour, even in the middle of a word. */
const MAX_SESSION_MS = 55 * 60_000;

type Input<Type extends SessionInput['type']> = Extract<SessionInput, { type: Type }>;
type End = Omit<Extract<SessionEffect, { type: 'finish' }>, 'type'>;

export function reduceSession(state: SessionState, input: SessionInput, context: SessionContext): SessionStep {
  // Usage is recorded even after the session has ended.
  if (input.type === 'used') return { state, effects: [{ type: 'recordUsage', used: input.used }] };
  if (state.status === 'over') return { state, effects: [] };
  const { nowMs } = context;
  switch (input.type) {
    case 'coachStarted':
    case 'coachAudio':
    case 'coachWords':
    case 'coachEnded':
    case 'bargeIn':
    case 'learnerStarted':
    case 'learnerSaid':
      return handleVoice({ ...state, lastActivityAtMs: nowMs }, input, context);
    case 'voiceFailed':
      return finish({ last: { error: input.error }, outcome: 'failed', servedUntilMs: nowMs });
    case 'opened':
      return open(state, input);
    case 'learnerAudio':
      return { state: heard(state, nowMs), effects: whenOpen(state, { type: 'appendAudio', pcm: input.pcm }) };
    case 'played':
      return { state: heard(state, nowMs), effects: whenOpen(state, { ...input, type: 'reportPlayback' }) };
    case 'holdChanged':
      return {
        state: { ...heard(state, nowMs), isOnHold: input.isOnHold },
        effects: whenOpen(state, { ...input, type: 'setOnHold' }),
      };
    case 'endRequested':
      if (!state.isOpen) return finish(endedNow('ended', nowMs));
      return state.isEnding
        ? { state, effects: [] }
        : { state: { ...state, isEnding: true }, effects: [{ type: 'finishVoice' }] };
    case 'voiceFinished':
      return finish(endedNow('ended', nowMs));
    case 'disconnected': {
      const goneAtMs = state.lastDeviceSignAtMs + HEARTBEAT_TIMEOUT_S * 1_000;
      // A device that only listens is still being served.
      const servedUntilMs = Math.min(nowMs, Math.max(goneAtMs, state.playsUntilMs));
      return finish({ last: { reason: 'ended' }, outcome: 'dropped', servedUntilMs });
    }
    case 'balanceLow':
      return { state, effects: [{ type: 'send', message: { type: 'quota', remainingS: input.remainingS } }] };
    case 'quotaExhausted': {
      const { state: leaving, effects } = startGoodbye(state, 'quota', nowMs);
      return { state: leaving, effects: [{ type: 'send', message: { type: 'quota', remainingS: 0 } }, ...effects] };
    }
    case 'judged':
      return prove(state, input);
    case 'failed':
      return finish({ last: { error: input.error }, outcome: 'ended', servedUntilMs: nowMs });
    case 'timeChecked':
      return checkTime(state, nowMs);
    default:
      return assertNever(input);
  }
}

const finish = (end: End): SessionStep => ({ state: { status: 'over' }, effects: [{ type: 'finish', ...end }] });

const endedNow = (reason: Extract<End['last'], { reason: unknown }>['reason'], nowMs: number): End => ({
  last: { reason },
  outcome: 'ended',
  servedUntilMs: nowMs,
});

const heard = (state: RunningSession, nowMs: number): RunningSession => ({ ...state, lastDeviceSignAtMs: nowMs });

const whenOpen = ({ isOpen }: RunningSession, effect: SessionEffect): SessionEffect[] => (isOpen ? [effect] : []);

/** If the learner speaks before or during the goodbye, the coach is asked for it again. */
const requestGoodbye = (state: RunningSession): SessionEffect[] =>
  state.goodbye === null ? [] : whenOpen(state, { type: 'sayGoodbye' });

function open(state: RunningSession, { lease }: Input<'opened'>): SessionStep {
  return {
    state: { ...state, isOpen: true },
    effects: [
      { type: 'send', message: { type: 'ready', ...lease } },
      ...(state.isOnHold ? [{ type: 'setOnHold', isOnHold: true } as const] : []),
      ...(isCoachsTurn(state.conversation) ? [{ type: 'speak' } as const] : []),
    ],
  };
}

function startGoodbye(before: RunningSession, reason: 'quota' | 'limit', nowMs: number): SessionStep {
  const state: RunningSession = { ...before, goodbye: { untilMs: nowMs + GOODBYE_GRACE_S * 1_000, reason } };
  return { state, effects: requestGoodbye(state) };
}

function checkTime(state: RunningSession, nowMs: number): SessionStep {
  const { goodbye, lastActivityAtMs } = state;
  if (goodbye !== null)
    return nowMs >= goodbye.untilMs ? finish(endedNow(goodbye.reason, nowMs)) : { state, effects: [] };
  if (nowMs - state.beganAtMs >= MAX_SESSION_MS) return startGoodbye(state, 'limit', nowMs);
  // Neither the coach nor the learner has spoken since then.
  if (nowMs - lastActivityAtMs >= IDLE_TIMEOUT_MS)
    return finish({ ...endedNow('idle', nowMs), servedUntilMs: lastActivityAtMs });
  return { state, effects: [] };
}

function prove(state: RunningSession, { itemId, proofs }: Input<'judged'>): SessionStep {
  const conversation = proofs.reduce((sofar, { objectiveId }) => withObjective(sofar, objectiveId), state.conversation);
  return {
    state: { ...state, conversation },
    effects: proofs.map(({ objectiveId, words }) => ({
      type: 'send',
      message: { type: 'proved', objectiveId, itemId, words },
    })),
  };
}

function handleVoice(
  state: RunningSession,
  input: Input<
    'coachStarted' | 'coachAudio' | 'coachWords' | 'coachEnded' | 'bargeIn' | 'learnerStarted' | 'learnerSaid'
  >,
  context: SessionContext,
): SessionStep {
  switch (input.type) {
    case 'coachStarted': {
      const utteranceCount = state.utteranceCount + 1;
      const utteranceNumberByItem = new Map([...state.utteranceNumberByItem, [input.itemId, utteranceCount] as const]);
      return {
        state: { ...state, utteranceCount, utteranceNumberByItem },
        effects: [{ type: 'send', message: { ...input, line: utteranceCount } }],
      };
    }
    case 'coachAudio': {
      const utterance = state.utteranceNumberByItem.get(input.itemId) ?? state.utteranceCount;
      const playsUntilMs = Math.max(state.playsUntilMs, context.nowMs) + input.pcm.byteLength / REALTIME_BYTES_PER_MS;
      return { state: { ...state, playsUntilMs }, effects: [{ type: 'sendAudio', utterance, pcm: input.pcm }] };
    }
    case 'coachWords': {
      const { mustInterrupt, ...message } = input;
      return {
        state,
        effects: [
          ...(message.text === '' ? [] : [{ type: 'send', message } as const]),
          ...(mustInterrupt ? whenOpen(state, { type: 'interrupt' }) : []),
        ],
      };
    }
    case 'coachEnded':
      return handleCoachEnded(state, input, context);
    case 'learnerSaid':
      return handleLearnerSaid(state, input, context);
    case 'learnerStarted':
      return { state, effects: [{ type: 'send', message: input }, ...requestGoodbye(state)] };
    case 'bargeIn':
      return { state: { ...state, playsUntilMs: context.nowMs }, effects: [{ type: 'send', message: input }] };
    default:
      return assertNever(input);
  }
}

function handleCoachEnded(
  before: RunningSession,
  { itemId, text, wasCut, wantsToEnd, isOrdered, turnId }: Input<'coachEnded'>,
  { nowMs, mayEnd }: SessionContext,
): SessionStep {
  const isGoodbye = !wasCut && (isOrdered || (wantsToEnd && mayEnd(before.conversation)));
  const state: RunningSession = {
    ...before,
    utteranceNumberByItem: new Map([...before.utteranceNumberByItem].filter(([known]) => known !== itemId)),
    conversation: withCoachTurn(before.conversation, {
      turnId,
      text,
      kind: isGoodbye ? 'goodbye' : 'line',
      atMs: nowMs,
    }),
  };
  const told: SessionEffect = { type: 'send', message: { type: 'coachEnded', itemId, text, wasCut, isGoodbye } };
  if (state.isEnding) return { state, effects: [told] };
  if (!isGoodbye) return { state, effects: [told, ...requestGoodbye(state)] };
  const ended = finish(endedNow(state.goodbye?.reason ?? 'goodbye', nowMs));
  return { state: ended.state, effects: [told, ...ended.effects] };
}

function handleLearnerSaid(
  state: RunningSession,
  { turnId, ...message }: Input<'learnerSaid'>,
  { nowMs }: SessionContext,
): SessionStep {
  const { itemId, text } = message;
  const told: SessionEffect = { type: 'send', message };
  if (text === null || text === '') return { state, effects: [told] };
  const before = state.conversation;
  const said = learnerTurn({ turnId, text, atMs: nowMs });
  return {
    state: { ...state, conversation: withTurn(before, said) },
    effects: [told, { type: 'judge', itemId, before, said }],
  };
}
