/**
 * The decisions of a realtime session on the host, without I/O: what is sent, recorded, stored and shown, and when the session ends.
 */
import { PCM_SAMPLE_RATE_HZ, type RealtimeServerMessage } from '@parley/contract';
import { assertNever } from '@parley/domain';
import {
  audioArrived,
  cutOff,
  holdChanged,
  playbackStopped,
  positionReported,
  textArrived,
  utteranceEnded,
  utteranceStarted,
} from './playback.ts';
import type { HeldSession, RealtimeEffect, RealtimeInput, RealtimeState, RealtimeStep } from './realtime-state.ts';
import { connect, finish, handleLoss, handleOpen, handleSignOfLife, markStable } from './reconnect.ts';

/** The server may need this long to transcribe the last utterance. */
const END_TIMEOUT_MS = 4_500;
const BYTES_PER_MS = (PCM_SAMPLE_RATE_HZ * 2) / 1_000;

export function reduceRealtime(state: RealtimeState, input: RealtimeInput, nowMs: number): RealtimeStep {
  if (state.status === 'over') return { state, effects: [] };
  switch (input.type) {
    case 'started':
      return start(state, input.unsentAudio, nowMs);
    case 'learnerAudio':
      return {
        state: { ...state, audioMs: state.audioMs + input.pcm.byteLength / BYTES_PER_MS },
        effects: [{ type: 'keepAudio', pcm: input.pcm }, ...whenOpen(state, { type: 'sendAudio', pcm: input.pcm })],
      };
    case 'played':
      return {
        state: { ...state, playback: positionReported(state.playback, input.position, nowMs) },
        effects: whenOpen(state, { type: 'send', message: { type: 'played', ...input.position } }),
      };
    case 'holdChanged':
      return {
        state: { ...state, playback: holdChanged(state.playback, input.isOnHold, nowMs) },
        effects: whenOpen(state, { type: 'send', message: { type: 'giveMeAMoment', on: input.isOnHold } }),
      };
    case 'endRequested':
      if (state.connection.status !== 'open') return finish(state, { reason: 'ended' }, nowMs);
      return {
        state: { ...state, isEnding: true },
        effects: [
          { type: 'send', message: { type: 'end' } },
          { type: 'schedule', afterMs: END_TIMEOUT_MS, input: { type: 'endTimedOut' } },
        ],
      };
    case 'endTimedOut':
      return handleLoss(state, null, nowMs);
    case 'aborted':
      return finish(state, input.failure === null ? { reason: 'ended' } : { failure: input.failure }, nowMs);
    case 'practiceGone':
      return finish(state, { failure: { code: 'session.ended' } }, nowMs);
    case 'messageReceived':
      return isCurrent(state, input)
        ? handleMessage(handleSignOfLife(state), input.message, nowMs)
        : { state, effects: [] };
    case 'coachAudioReceived':
      return isCurrent(state, input) ? handleCoachAudio(handleSignOfLife(state), input, nowMs) : { state, effects: [] };
    case 'pingReceived':
      return { state: isCurrent(state, input) ? handleSignOfLife(state) : state, effects: [] };
    case 'connectionLost':
      return isCurrent(state, input) ? handleLoss(state, input.failure, nowMs) : { state, effects: [] };
    case 'reconnectDue':
      return state.connection.status === 'waiting' ? connect(state, nowMs) : { state, effects: [] };
    case 'stableDue':
      return state.connection.status === 'open' && isCurrent(state, input) ? markStable(state) : { state, effects: [] };
    case 'turnStored':
      return {
        state: { ...state, turnIdByItem: new Map([...state.turnIdByItem, [input.itemId, input.turnId]]) },
        effects: [{ type: 'score', turnId: input.turnId }],
      };
    case 'scored':
      return { state, effects: [{ type: 'showSession' }] };
    default:
      return assertNever(input);
  }
}

const isCurrent = ({ connection }: HeldSession, { connectionId }: { connectionId: number }): boolean =>
  connection.status !== 'waiting' && connection.connectionId === connectionId;

const whenOpen = ({ connection }: HeldSession, effect: RealtimeEffect): RealtimeEffect[] =>
  connection.status === 'open' ? [effect] : [];

function start(state: HeldSession, unsentAudio: Uint8Array | null, nowMs: number): RealtimeStep {
  const hasUnsent = unsentAudio !== null && unsentAudio.byteLength > 0;
  const audioMs = hasUnsent ? unsentAudio.byteLength / BYTES_PER_MS : 0;
  // Speech while connecting is recorded as well and sent when the connection opens.
  const started = { ...state, audioMs, speechStartsMs: [0], silentFromMs: hasUnsent ? null : 0 };
  const connecting = connect(started, nowMs);
  return {
    state: connecting.state,
    effects: [
      ...(hasUnsent ? [{ type: 'keepAudio', pcm: unsentAudio } as const] : []),
      { type: 'record', fromMs: 0 },
      { type: 'emit', event: { type: 'connecting', isAgain: false } },
      ...connecting.effects,
    ],
  };
}

function handleCoachAudio(
  state: HeldSession,
  { utterance, pcm }: { utterance: number; pcm: Uint8Array },
  nowMs: number,
): RealtimeStep {
  const itemId = state.itemIdByUtterance.get(utterance);
  if (itemId === undefined) return { state, effects: [] };
  return {
    state: { ...state, playback: audioArrived(state.playback, { itemId, pcm }, nowMs) },
    effects: [{ type: 'emitCoachSound', itemId, pcm }],
  };
}

function handleMessage(state: HeldSession, message: RealtimeServerMessage, nowMs: number): RealtimeStep {
  switch (message.type) {
    case 'ready':
      return handleOpen(state, state.lastConnectionId, message.remainingS);
    case 'coachStarted':
      return {
        state: {
          ...state,
          playback: utteranceStarted(state.playback, message.itemId),
          itemIdByUtterance: new Map([...state.itemIdByUtterance, [message.line, message.itemId]]),
        },
        effects: [],
      };
    case 'coachWords':
      return {
        state: { ...state, playback: textArrived(state.playback, message) },
        effects: [{ type: 'emit', event: message }],
      };
    case 'coachEnded':
      return handleCoachEnded(state, message);
    case 'learnerStarted': {
      const fromMs = originMs(state) + message.fromMs;
      return {
        state: { ...state, speechStartsMs: [...state.speechStartsMs, fromMs] },
        effects: [
          { type: 'record', fromMs },
          { type: 'emit', event: { type: 'learnerStarted' } },
        ],
      };
    }
    case 'learnerSaid':
      return handleLearnerSaid(state, message);
    case 'proved': {
      const turnId = state.turnIdByItem.get(message.itemId);
      if (turnId === undefined) return { state, effects: [] };
      return { state, effects: [{ type: 'storeProof', turnId, proof: message }, { type: 'showSession' }] };
    }
    case 'bargeIn':
      return {
        state: { ...state, playback: playbackStopped(state.playback, nowMs) },
        effects: [{ type: 'emit', event: message }],
      };
    case 'quota':
      return { state, effects: [{ type: 'emit', event: message }] };
    case 'over':
      return finish(state, { reason: message.reason }, nowMs);
    case 'failed':
      return handleLoss(state, message, nowMs);
    default:
      return assertNever(message);
  }
}

const originMs = ({ connection }: HeldSession): number => (connection.status === 'open' ? connection.originMs : 0);

type Message<Type extends RealtimeServerMessage['type']> = Extract<RealtimeServerMessage, { type: Type }>;

function handleCoachEnded(
  before: HeldSession,
  { itemId, text: heard, wasCut, isGoodbye }: Message<'coachEnded'>,
): RealtimeStep {
  // A coach that fails before its first sound has not answered.
  const { state, effects } =
    heard === '' ? { state: before, effects: [] } : markStable({ ...before, failedAttempts: 0 });
  const text = wasCut ? cutOff(heard.trim()) : heard;
  const kind = isGoodbye ? 'goodbye' : 'line';
  return {
    state: { ...state, playback: utteranceEnded(state.playback, itemId) },
    effects: [
      ...effects,
      ...(text === '' ? [] : [{ type: 'storeCoachTurn', text, kind } as const]),
      { type: 'emit', event: { type: 'coachEnded', itemId } },
      { type: 'showSession' },
    ],
  };
}

function handleLearnerSaid(state: HeldSession, message: Message<'learnerSaid'>): RealtimeStep {
  const { itemId } = message;
  const words = message.text === null ? null : message.text.trim();
  const turnId = state.turnIdByItem.get(itemId);
  if (turnId !== undefined)
    return {
      state,
      effects: [
        ...(words === null || words === '' ? [] : [{ type: 'setTranscript', turnId, words } as const]),
        { type: 'score', turnId },
        { type: 'showSession' },
      ],
    };
  const range = { fromMs: originMs(state) + message.fromMs, toMs: originMs(state) + message.toMs };
  // The next turn may begin during this turn's final silence, but not in its first half.
  const speechStartsMs = state.speechStartsMs.filter((beganMs) => beganMs >= (range.fromMs + range.toMs) / 2);
  return {
    state: { ...state, speechStartsMs, receivedToMs: Math.max(state.receivedToMs, range.toMs) },
    effects: [
      words === '' ? { type: 'keepWordlessSpeech', range } : { type: 'storeLearnerTurn', itemId, words, range },
      { type: 'restartRecording', fromMs: speechStartsMs[0] ?? null },
      { type: 'emit', event: { type: 'learnerSaid', text: words ?? '' } },
      { type: 'showSession' },
    ],
  };
}
