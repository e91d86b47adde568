/** The state, the events and the effects of a realtime session on the host. */
import type {
  PlaybackPosition,
  RealtimeClientMessage,
  RealtimeEndReason,
  RealtimeEvent,
  RealtimeServerMessage,
} from '@parley/contract';
import type { CoachTurn, ObjectiveId, Step, TurnId } from '@parley/domain';
import type { HostFailure } from '../../result/index.ts';
import { NO_PLAYBACK, type Playback } from './playback.ts';

/** A range of the audio history, in milliseconds. */
export interface AudioRange {
  fromMs: number;
  toMs: number;
}

/** `unsentFromMs` is the position in the audio history since which no audio has been sent. */
type Connection =
  | { status: 'waiting'; unsentFromMs: number }
  | { status: 'dialling'; connectionId: number; unsentFromMs: number }
  /** `originMs` is the position in the audio history of the first sample that was sent on this connection. */
  | { status: 'open'; connectionId: number; originMs: number };

export interface HeldSession {
  status: 'active';
  connection: Connection;
  lastConnectionId: number;
  hasBeenOpen: boolean;
  isEnding: boolean;
  failedAttempts: number;
  reconnectAttempts: number;
  /** Null while the connection is stable. */
  disconnectedAtMs: number | null;
  /** Length of the audio history. */
  audioMs: number;
  /**
   * The server has received the audio before this position. Later audio may be lost if the connection breaks unnoticed.
   */
  receivedToMs: number;
  /** Positions at which untranscribed speech began, oldest first. */
  speechStartsMs: readonly number[];
  /** Position at which the connection was lost while the learner was silent; null if the learner was speaking. */
  silentFromMs: number | null;
  playback: Playback;
  /** The turns stored on this connection. */
  turnIdByItem: ReadonlyMap<string, TurnId>;
  itemIdByUtterance: ReadonlyMap<number, string>;
}

export type RealtimeState = HeldSession | { status: 'over' };

export type RealtimeInput =
  /** `unsentAudio` is from before a disconnect or crash. */
  | { type: 'started'; unsentAudio: Uint8Array | null }
  | { type: 'learnerAudio'; pcm: Uint8Array }
  | { type: 'played'; position: PlaybackPosition }
  | { type: 'holdChanged'; isOnHold: boolean }
  | { type: 'endRequested' }
  /** Without a failure the session counts as ended by the learner. */
  | { type: 'aborted'; failure: HostFailure | null }
  | { type: 'messageReceived'; connectionId: number; message: RealtimeServerMessage }
  | { type: 'coachAudioReceived'; connectionId: number; utterance: number; pcm: Uint8Array }
  /** The server sends this even while it has nothing to say. */
  | { type: 'pingReceived'; connectionId: number }
  /** `failure` is null when the connection was lost without a reason from the server. */
  | { type: 'connectionLost'; connectionId: number; failure: HostFailure | null }
  | { type: 'reconnectDue' }
  | { type: 'stableDue'; connectionId: number }
  | { type: 'endTimedOut' }
  /** The practice session was ended by another window or device. */
  | { type: 'practiceGone' }
  | { type: 'turnStored'; itemId: string; turnId: TurnId }
  | { type: 'scored' };

export type RealtimeEffect =
  | { type: 'emit'; event: Exclude<RealtimeEvent, { type: 'session' | 'coachAudio' | 'over' }> }
  | { type: 'emitCoachSound'; itemId: string; pcm: Uint8Array }
  | { type: 'showSession' }
  | { type: 'connect'; connectionId: number; isFirst: boolean; isOnHold: boolean }
  | { type: 'send'; message: Exclude<RealtimeClientMessage, { type: 'begin' }> }
  | { type: 'sendAudio'; pcm: Uint8Array }
  /** Sends audio that was recorded while there was no connection. */
  | { type: 'sendMissedAudio'; range: AudioRange }
  | { type: 'schedule'; afterMs: number; input: RealtimeInput }
  /** Appends to the audio history and to the recording that is running. */
  | { type: 'keepAudio'; pcm: Uint8Array }
  | { type: 'record'; fromMs: number }
  | { type: 'restartRecording'; fromMs: number | null }
  | { type: 'discardRecording' }
  /** `words` is null if transcription failed; the audio is then kept for a later attempt. */
  | { type: 'storeLearnerTurn'; itemId: string; words: string | null; range: AudioRange }
  /** Stores speech that is too old to be sent; it is transcribed when the practice session ends. */
  | { type: 'storeUnsentTurn'; range: AudioRange }
  /** Keeps speech in which no words were recognised with the session, but not as a turn. */
  | { type: 'keepWordlessSpeech'; range: AudioRange }
  | { type: 'storeCoachTurn'; text: string; kind: CoachTurn['kind'] }
  | { type: 'setTranscript'; turnId: TurnId; words: string }
  /** The coach declined to answer the last turn, which is kept but never sent to the coach again. */
  | { type: 'markDeclined' }
  | { type: 'storeProof'; turnId: TurnId; proof: { objectiveId: ObjectiveId; words: string } }
  | { type: 'score'; turnId: TurnId }
  /** The last effect: closes the connection and keeps the speech since `unstoredFromMs` as the waiting turn. */
  | { type: 'finish'; unstoredFromMs: number; last: RealtimeOutcome };

export type RealtimeOutcome = { reason: RealtimeEndReason } | { failure: HostFailure };

export type RealtimeStep = Step<RealtimeState, RealtimeEffect>;
/** A step that cannot end the session. */
export type HeldStep = Step<HeldSession, RealtimeEffect>;

export const REALTIME_START: HeldSession = {
  status: 'active',
  connection: { status: 'waiting', unsentFromMs: 0 },
  lastConnectionId: 0,
  hasBeenOpen: false,
  isEnding: false,
  failedAttempts: 0,
  reconnectAttempts: 0,
  disconnectedAtMs: null,
  audioMs: 0,
  receivedToMs: 0,
  speechStartsMs: [],
  silentFromMs: null,
  playback: NO_PLAYBACK,
  turnIdByItem: new Map(),
  itemIdByUtterance: new Map(),
};
