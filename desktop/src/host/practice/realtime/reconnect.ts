/** Decides when the connection of a realtime session is opened, counts as stable, is reopened or is abandoned. */
import { MAX_TURN_MS } from '@parley/contract';
import type { HostFailure } from '../../result/index.ts';
import { playbackStopped, takeHeardTexts } from './playback.ts';
import type {
  AudioRange,
  HeldSession,
  HeldStep,
  RealtimeEffect,
  RealtimeOutcome,
  RealtimeStep,
} from './realtime-state.ts';

/** A broken connection is redialled for this long. */
const RECONNECT_TIMEOUT_MS = 30_000;
const RECONNECT_DELAYS_MS = [300, 700, 1_500, 3_000] as const;
/** After a reconnect, at most this much missed audio is sent; the server accepts audio that is up to a minute old. */
const MAX_CATCH_UP_MS = 55_000;
/** The server reports within this time that the learner has begun to speak. */
const DETECTION_MS = 1_000;
/** A connected server sends a ping every ten seconds. */
const MAX_SILENCE_MS = 12_000;
/** A connection that has lasted this long counts as stable. */
const STABLE_AFTER_MS = 5_000;
/** A failing coach is tried twice in total. */
const MAX_COACH_ATTEMPTS = 2;
const RETRYABLE_FAILURES: ReadonlySet<string> = new Set(['coach.unavailable', 'coach.busy']);

/** Stores the parts of interrupted utterances that were heard. */
function storeHeardParts(state: HeldSession, nowMs: number): HeldStep {
  const { texts, playback } = takeHeardTexts(state.playback, nowMs);
  return {
    state: { ...state, playback },
    effects: texts.map((text) => ({ type: 'storeCoachTurn', text, kind: 'line' })),
  };
}

export function connect(before: HeldSession, nowMs: number): HeldStep {
  const { state, effects } = storeHeardParts(before, nowMs);
  const connectionId = state.lastConnectionId + 1;
  const connection = { status: 'dialling', connectionId, unsentFromMs: unsentFromMs(state) } as const;
  return {
    state: { ...state, lastConnectionId: connectionId, connection },
    effects: [
      ...effects,
      { type: 'connect', connectionId, isFirst: !state.hasBeenOpen, isOnHold: state.playback.isOnHold },
    ],
  };
}

const unsentFromMs = ({ connection, receivedToMs }: HeldSession): number =>
  connection.status === 'open' ? receivedToMs : connection.unsentFromMs;

/**
 * The server has received what was said before. Later audio may be lost, because a broken connection can look open for
 * up to half a minute.
 */
export function handleSignOfLife(state: HeldSession): HeldSession {
  if (state.connection.status !== 'open') return state;
  return { ...state, receivedToMs: Math.max(state.receivedToMs, state.audioMs - DETECTION_MS) };
}

export function finish(before: HeldSession, last: RealtimeOutcome, nowMs: number): RealtimeStep {
  const { state, effects } = storeHeardParts(before, nowMs);
  const { connection, audioMs, receivedToMs } = state;
  const [speechFromMs] = state.speechStartsMs;
  const isServerGone = connection.status === 'open' && audioMs - receivedToMs > MAX_SILENCE_MS;
  const recording: RealtimeEffect[] =
    speechFromMs === undefined && isServerGone ? [{ type: 'record', fromMs: receivedToMs }] : [];
  const unstoredFromMs = speechFromMs ?? (isServerGone ? receivedToMs : audioMs);
  return { state: { status: 'over' }, effects: [...effects, ...recording, { type: 'finish', unstoredFromMs, last }] };
}

export function handleOpen(state: HeldSession, connectionId: number, remainingS: number | null): RealtimeStep {
  const { audioMs } = state;
  const originMs = Math.max(0, audioMs - MAX_CATCH_UP_MS, unsentFromMs(state));
  const sinceOrigin = (ms: number): number => Math.max(ms, originMs);
  return {
    state: {
      ...state,
      speechStartsMs: state.speechStartsMs.map(sinceOrigin),
      silentFromMs: state.silentFromMs === null ? null : sinceOrigin(state.silentFromMs),
      connection: { status: 'open', connectionId, originMs },
      receivedToMs: originMs,
      hasBeenOpen: true,
      turnIdByItem: new Map(),
      itemIdByUtterance: new Map(),
    },
    effects: [
      ...storeUnsentTurns({ fromMs: state.speechStartsMs[0] ?? originMs, toMs: originMs }),
      { type: 'schedule', afterMs: STABLE_AFTER_MS, input: { type: 'stableDue', connectionId } },
      { type: 'sendMissedAudio', range: { fromMs: originMs, toMs: audioMs } },
      { type: 'emit', event: { type: 'open', remainingS } },
    ],
  };
}

/** The coach never receives speech that is older than the audio it is sent, so it is stored in turns of its own. */
function storeUnsentTurns({ fromMs, toMs }: AudioRange): RealtimeEffect[] {
  if (fromMs >= toMs) return [];
  const effects: RealtimeEffect[] = [];
  for (let at = fromMs; at < toMs; at += MAX_TURN_MS)
    effects.push({ type: 'storeUnsentTurn', range: { fromMs: at, toMs: Math.min(at + MAX_TURN_MS, toMs) } });
  return [...effects, { type: 'restartRecording', fromMs: toMs }, { type: 'showSession' }];
}

/** The connection is stable, so the next break gets a full retry period. */
export function markStable(state: HeldSession): HeldStep {
  const stable = { ...state, disconnectedAtMs: null, reconnectAttempts: 0, silentFromMs: null };
  if (state.silentFromMs === null) return { state: stable, effects: [] };
  // Only one entry is removed because a turn may begin at the same position.
  const place = state.speechStartsMs.indexOf(state.silentFromMs);
  const speechStartsMs = state.speechStartsMs.filter((_start, index) => index !== place);
  return {
    state: { ...stable, speechStartsMs },
    effects: speechStartsMs.length === 0 ? [{ type: 'discardRecording' }] : [],
  };
}

export function handleLoss(before: HeldSession, failure: HostFailure | null, nowMs: number): RealtimeStep {
  const [speechFromMs] = before.speechStartsMs;
  const isSilent = speechFromMs === undefined;
  const fromMs = speechFromMs ?? unsentFromMs(before);
  const lost: HeldSession = {
    ...before,
    connection: { status: 'waiting', unsentFromMs: fromMs },
    playback: playbackStopped(before.playback, nowMs),
    // Everything that the server may not have received is recorded, in case the connection never returns.
    ...(isSilent ? { silentFromMs: fromMs, speechStartsMs: [fromMs] } : {}),
    failedAttempts: failure === null ? before.failedAttempts : before.failedAttempts + 1,
  };
  const effects: RealtimeEffect[] = [
    ...(isSilent ? [{ type: 'record', fromMs } as const] : []),
    ...(failure?.code === 'coach.declined' ? [{ type: 'markDeclined' } as const] : []),
  ];
  const last = reasonToStop(lost, failure, nowMs);
  if (last !== null) {
    const finished = finish(lost, last, nowMs);
    return { state: finished.state, effects: [...effects, ...finished.effects] };
  }
  const { reconnectAttempts } = lost;
  const afterMs = RECONNECT_DELAYS_MS[Math.min(reconnectAttempts, RECONNECT_DELAYS_MS.length - 1)] ?? 0;
  return {
    state: {
      ...lost,
      disconnectedAtMs: lost.disconnectedAtMs ?? nowMs,
      reconnectAttempts: reconnectAttempts + 1,
    },
    effects: [
      ...effects,
      // The window stops the playback and reports its position before the next connection opens.
      { type: 'emit', event: { type: 'connecting', isAgain: lost.hasBeenOpen } },
      { type: 'schedule', afterMs, input: { type: 'reconnectDue' } },
    ],
  };
}

/** Returns why a session whose connection was lost is not continued; null if it is. */
function reasonToStop(
  { isEnding, failedAttempts, hasBeenOpen, disconnectedAtMs }: HeldSession,
  failure: HostFailure | null,
  nowMs: number,
): RealtimeOutcome | null {
  if (isEnding) return { reason: 'ended' };
  if (failure !== null) {
    const isFinal = !RETRYABLE_FAILURES.has(failure.code) || failedAttempts >= MAX_COACH_ATTEMPTS;
    return isFinal ? { failure } : null;
  }
  const hasTimedOut = nowMs - (disconnectedAtMs ?? nowMs) >= RECONNECT_TIMEOUT_MS;
  return !hasBeenOpen || hasTimedOut ? { failure: { code: 'coach.unavailable', detail: 'line' } } : null;
}
