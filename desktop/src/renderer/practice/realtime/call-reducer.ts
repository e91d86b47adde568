/** The decisions of a call in the window, without I/O: what is sent, what is played and how loudly, and what the screen shows. */
import { PCM_SAMPLE_RATE_HZ, type PlaybackPosition, type RealtimeEvent, type SessionView } from '@parley/contract';
import { assertNever, type Step } from '@parley/domain';
import type { MicrophoneReplacement } from '../../audio/index.ts';
import { afterCoachTurn, type CoachVolume, type DuckingState, nextDuckingState, NOT_DUCKED } from './ducking.ts';

export interface CallView {
  /** `again`: the connection was lost and is being restored. */
  connection: 'calling' | 'again' | 'open';
  /** Who is speaking, or about to. */
  speaker: 'none' | 'learner' | 'thinking' | 'coach';
  /** The coach's current or last words. */
  words: string;
  /** The plan's remaining seconds as last reported; null when usage is not metered. */
  remainingS: number | null;
  /** The microphone that has replaced the first one; null if none has. */
  microphoneReplacement: MicrophoneReplacement | null;
}

/** `asleep`: the computer slept, which the window notices but the host does not. */
export type CallEndReason = Extract<RealtimeEvent, { type: 'over' }>['reason'] | 'asleep';

interface ItemPosition {
  itemId: string;
  audioMs: number;
}

interface HeldCall {
  status: 'active';
  view: CallView;
  isMuted: boolean;
  isOnHold: boolean;
  playingItemId: string | null;
  /** Where the coach's utterance is paused. */
  pausedItem: ItemPosition | null;
  /** The most recently played utterance, and how much of it had arrived. */
  drainedItem: ItemPosition | null;
  ducking: DuckingState;
  wordsByItem: ReadonlyMap<string, string>;
  interruptedItemIds: ReadonlySet<string>;
  /** The audio recorded before the host opened the call; null afterwards. */
  earlyChunks: readonly ArrayBuffer[] | null;
}

export type CallState = HeldCall | { status: 'left' };

export type CallInput =
  | { type: 'microphoneChunk'; pcm: ArrayBuffer; level: number; isSpeech: boolean }
  | { type: 'eventReceived'; event: RealtimeEvent }
  | { type: 'playbackStarted'; itemId: string }
  | ({ type: 'playbackDrained' } & ItemPosition)
  | ({ type: 'playbackPaused' } & ItemPosition)
  | { type: 'playbackStopped'; itemId: string | null; audioMs: number }
  | { type: 'muteChanged'; isMuted: boolean }
  | { type: 'holdChanged'; isOnHold: boolean }
  | { type: 'microphoneReplaced'; replacement: MicrophoneReplacement }
  | { type: 'slept' }
  | { type: 'endRequested' }
  | { type: 'failed'; error: unknown }
  /** The screen was left, or the host has no more events. */
  | { type: 'left' };

export type CallEffect =
  | { type: 'show'; view: CallView }
  | { type: 'showSession'; session: SessionView }
  | { type: 'showLevel'; level: number }
  | { type: 'reportEnded'; reason: CallEndReason }
  | { type: 'reportFailed'; error: unknown }
  | { type: 'sendAudio'; pcm: ArrayBuffer }
  | { type: 'sendPlayed'; position: PlaybackPosition }
  | { type: 'sendHold'; isOnHold: boolean }
  /** Audio in base64, as it arrived. */
  | { type: 'play'; itemId: string; pcm: string }
  | { type: 'stopPlayer' }
  | { type: 'pausePlayer' }
  | { type: 'resumePlayer'; volume: number }
  /** Sets a performance mark for the end-to-end tests; `agoMs` accounts for the length of the chunk that reports it. */
  | { type: 'mark'; name: string; agoMs: number }
  | { type: 'close' };

type CallStep = Step<CallState, CallEffect>;

const DUCKED_VOLUME = 0.25;
const BYTES_PER_MS = (PCM_SAMPLE_RATE_HZ * 2) / 1_000;

export const CALL_START: HeldCall = {
  status: 'active',
  view: { connection: 'calling', speaker: 'none', words: '', remainingS: null, microphoneReplacement: null },
  isMuted: false,
  isOnHold: false,
  playingItemId: null,
  pausedItem: null,
  drainedItem: null,
  ducking: NOT_DUCKED,
  wordsByItem: new Map(),
  interruptedItemIds: new Set(),
  earlyChunks: [],
};

export function reduceCall(state: CallState, input: CallInput): CallStep {
  if (state.status === 'left') return { state, effects: [] };
  switch (input.type) {
    case 'microphoneChunk':
      return handleMicrophoneChunk(state, input);
    case 'eventReceived':
      return receiveEvent(state, input.event);
    case 'slept':
      // If the microphone opened by itself when the lid is lifted, it would eavesdrop, so the learner has to call
      // again.
      return { state: { status: 'left' }, effects: [{ type: 'reportEnded', reason: 'asleep' }, { type: 'close' }] };
    case 'microphoneReplaced':
      return show(state, [], { microphoneReplacement: input.replacement });
    case 'playbackStarted':
      return show({ ...state, playingItemId: input.itemId }, [mark('call:coach')], {
        speaker: 'coach',
        words: state.wordsByItem.get(input.itemId) ?? '',
      });
    case 'playbackDrained': {
      const { itemId, audioMs } = input;
      const drained = { ...state, playingItemId: null, drainedItem: { itemId, audioMs } };
      const effects: CallEffect[] = [{ type: 'sendPlayed', position: { itemId, audioMs } }];
      return state.view.speaker === 'learner'
        ? { state: drained, effects }
        : show(drained, effects, { speaker: 'none' });
    }
    case 'playbackPaused': {
      const { itemId, audioMs } = input;
      return {
        state: { ...state, pausedItem: { itemId, audioMs } },
        effects: [mark('call:silent'), { type: 'sendPlayed', position: { itemId, audioMs, isHeld: true } }],
      };
    }
    case 'playbackStopped': {
      const { itemId, audioMs } = input;
      const wasPlaying = itemId !== null && itemId === state.playingItemId;
      return {
        state: { ...state, pausedItem: null, playingItemId: null },
        effects: [
          mark('call:stopped'),
          ...(wasPlaying ? [{ type: 'sendPlayed', position: { itemId, audioMs } } as const] : []),
        ],
      };
    }
    case 'muteChanged':
      return { state: { ...state, isMuted: input.isMuted }, effects: [] };
    case 'holdChanged': {
      const { isOnHold } = input;
      const ducked = applyDucking({ ...state, isOnHold });
      return { state: ducked.state, effects: [...ducked.effects, { type: 'sendHold', isOnHold }] };
    }
    case 'endRequested':
      return { state, effects: [{ type: 'stopPlayer' }] };
    case 'failed':
      return {
        state: { status: 'left' },
        effects: [{ type: 'close' }, { type: 'reportFailed', error: input.error }],
      };
    case 'left':
      return { state: { status: 'left' }, effects: [{ type: 'close' }] };
    default:
      return assertNever(input);
  }
}

type HeldStep = Step<HeldCall, CallEffect>;

const mark = (name: string, agoMs = 0): CallEffect => ({ type: 'mark', name, agoMs });

function show(state: HeldCall, effects: readonly CallEffect[], change: Partial<CallView>): HeldStep {
  const view = { ...state.view, ...change };
  return { state: { ...state, view }, effects: [...effects, { type: 'show', view }] };
}

function handleMicrophoneChunk(state: HeldCall, chunk: Extract<CallInput, { type: 'microphoneChunk' }>): HeldStep {
  const isSilent = state.isMuted || state.isOnHold;
  const durationMs = chunk.pcm.byteLength / BYTES_PER_MS;
  const pcm = isSilent ? new ArrayBuffer(chunk.pcm.byteLength) : chunk.pcm;
  const { earlyChunks, ducking: before } = state;
  const ducking =
    state.playingItemId === null
      ? afterCoachTurn(before)
      : nextDuckingState(before, { isSpeech: !isSilent && chunk.isSpeech, durationMs });
  const effects: CallEffect[] = [
    ...(earlyChunks === null ? [{ type: 'sendAudio', pcm } as const] : []),
    { type: 'showLevel', level: isSilent ? 0 : chunk.level },
    ...(ducking.voicedMs === durationMs ? [mark('call:voice', durationMs)] : []),
  ];
  const next = { ...state, ducking, earlyChunks: earlyChunks === null ? null : [...earlyChunks, pcm] };
  if (ducking.volume === before.volume) return { state: next, effects };
  const ducked = applyDucking(next);
  return { state: ducked.state, effects: [...effects, ...ducked.effects] };
}

/** While the call is on hold the coach stays silent. */
function applyDucking(state: HeldCall): HeldStep {
  const { pausedItem, isOnHold } = state;
  const { volume }: { volume: CoachVolume } = state.ducking;
  if (volume === 'silent' || isOnHold) return { state, effects: [{ type: 'pausePlayer' }] };
  const resume: CallEffect = { type: 'resumePlayer', volume: volume === 'quieter' ? DUCKED_VOLUME : 1 };
  if (pausedItem === null) return { state, effects: [resume] };
  return {
    state: { ...state, pausedItem: null },
    effects: [resume, mark('call:goes-on'), { type: 'sendPlayed', position: { ...pausedItem, isHeld: false } }],
  };
}

/** A player that was stopped plays the next audio that arrives, so it is paused again while the call is on hold. */
const stopPlayer = ({ isOnHold }: HeldCall): CallEffect[] => [
  { type: 'stopPlayer' },
  ...(isOnHold ? [{ type: 'pausePlayer' } as const] : []),
];

function interruptItem(state: HeldCall, itemId: string): HeldStep {
  const { drainedItem, playingItemId } = state;
  // Nothing plays between two audio chunks, so everything received before has been played.
  const audioMs = drainedItem?.itemId === itemId ? drainedItem.audioMs : 0;
  return {
    state: { ...state, interruptedItemIds: new Set([...state.interruptedItemIds, itemId]) },
    effects: [
      mark('call:barge-in'),
      ...(playingItemId === itemId ? [] : [{ type: 'sendPlayed', position: { itemId, audioMs } } as const]),
      ...stopPlayer(state),
    ],
  };
}

/** Whether text of an utterance has arrived that has not been played yet. */
const hasPendingUtterance = ({ wordsByItem, interruptedItemIds, drainedItem }: HeldCall): boolean =>
  [...wordsByItem.keys()].some((itemId) => !interruptedItemIds.has(itemId) && itemId !== drainedItem?.itemId);

/** The host's first event means that it has opened the call and accepts audio. */
function receiveEvent(state: HeldCall, event: RealtimeEvent): CallStep {
  const early = (state.earlyChunks ?? []).map((pcm): CallEffect => ({ type: 'sendAudio', pcm }));
  const next = handleEvent({ ...state, earlyChunks: null }, event);
  return { state: next.state, effects: [...early, ...next.effects] };
}

function handleEvent(state: HeldCall, event: RealtimeEvent): CallStep {
  const { playingItemId } = state;
  switch (event.type) {
    case 'connecting':
      // A connection lost mid-utterance never sends `coachEnded`.
      return show({ ...state, wordsByItem: new Map() }, stopPlayer(state), {
        connection: event.isAgain ? 'again' : 'calling',
        speaker: 'none',
      });
    case 'open':
      return show(state, [], { connection: 'open', remainingS: event.remainingS });
    case 'coachWords': {
      const words = (state.wordsByItem.get(event.itemId) ?? '') + event.text;
      const next = { ...state, wordsByItem: new Map([...state.wordsByItem, [event.itemId, words]]) };
      const isShown = playingItemId === null || playingItemId === event.itemId;
      return isShown ? show(next, [], { words }) : { state: next, effects: [] };
    }
    case 'coachAudio':
      if (state.interruptedItemIds.has(event.itemId)) return { state, effects: [] };
      return { state, effects: [{ type: 'play', itemId: event.itemId, pcm: event.pcm }] };
    case 'coachEnded': {
      if (event.itemId !== playingItemId && event.itemId !== state.drainedItem?.itemId) return { state, effects: [] };
      const wordsByItem = new Map([...state.wordsByItem].filter(([itemId]) => itemId !== event.itemId));
      return { state: { ...state, wordsByItem }, effects: [] };
    }
    case 'bargeIn':
      return interruptItem(state, event.itemId);
    case 'learnerStarted': {
      const isAnswer =
        playingItemId !== null && state.ducking.volume === 'silent' && !state.interruptedItemIds.has(playingItemId);
      if (!isAnswer) return show(state, [], { speaker: 'learner' });
      // Speech over the coach's last words is an answer, not an interruption: the words are played quietly to their
      // end.
      const ducked = applyDucking({ ...state, ducking: { ...state.ducking, volume: 'quieter' } });
      return show(ducked.state, ducked.effects, { speaker: 'learner' });
    }
    case 'learnerSaid':
      // The transcript may arrive only after the coach has begun to answer.
      if (playingItemId !== null || hasPendingUtterance(state)) return { state, effects: [] };
      return show(state, [], { speaker: 'thinking' });
    case 'session':
      return { state, effects: [{ type: 'showSession', session: event.session }] };
    case 'quota':
      return show(state, [], { remainingS: event.remainingS });
    case 'over':
      return { state: { status: 'left' }, effects: [{ type: 'reportEnded', reason: event.reason }, { type: 'close' }] };
    default:
      return assertNever(event);
  }
}
