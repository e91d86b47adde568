/** The state, the events and the effects of a realtime session on the server. */
import type { ConversationState } from '@parley/coach';
import type { Proof } from '@parley/coach/model';
import type { Lease, PlaybackPosition, RealtimeEndReason, RealtimeServerMessage } from '@parley/contract';
import type { LearnerTurn, Step, TurnId } from '@parley/domain';
import type { RealtimeSessionEnd } from '../../metering/index.ts';
import type { RealtimeEvent, RealtimeUse } from '../../ports/speech/index.ts';

export interface RunningSession {
  status: 'running';
  /** Whether the voice is connected. */
  isOpen: boolean;
  isOnHold: boolean;
  /** The learner has ended the session, and their last turn is being transcribed. */
  isEnding: boolean;
  beganAtMs: number;
  /** When the coach or the learner last spoke. */
  lastActivityAtMs: number;
  /** A connected device sends audio continuously, including silence. */
  lastDeviceSignAtMs: number;
  /** When the coach's audio ends if the device plays it as it arrives. */
  playsUntilMs: number;
  utteranceCount: number;
  /** The numbers by which the device distinguishes the audio of utterances. */
  utteranceNumberByItem: ReadonlyMap<string, number>;
  /** The coach has been asked to say goodbye, and the session ends after this time. */
  goodbye: { untilMs: number; reason: 'quota' | 'limit' } | null;
  conversation: ConversationState;
}

export type SessionState = RunningSession | { status: 'over' };

type VoiceEvent<Type extends RealtimeEvent['type']> = Extract<RealtimeEvent, { type: Type }>;

/** An event of the voice after its captions have been filtered; turns have the ids under which the transcript keeps them. */
export type VoiceInput =
  | VoiceEvent<'coachStarted' | 'coachAudio' | 'bargeIn' | 'learnerStarted' | 'used'>
  | (VoiceEvent<'coachWords'> & { mustInterrupt: boolean })
  | (VoiceEvent<'coachEnded'> & { turnId: TurnId })
  | (VoiceEvent<'learnerSaid'> & { turnId: TurnId })
  | { type: 'voiceFailed'; error: unknown };

export type SessionInput =
  | VoiceInput
  | { type: 'opened'; lease: Lease }
  | { type: 'learnerAudio'; pcm: Uint8Array }
  | { type: 'played'; position: PlaybackPosition }
  | { type: 'holdChanged'; isOnHold: boolean }
  | { type: 'endRequested' }
  /** The learner's last turn is transcribed, or its transcription has timed out. */
  | { type: 'voiceFinished' }
  | { type: 'disconnected' }
  | { type: 'balanceLow'; remainingS: number }
  | { type: 'quotaExhausted' }
  | { type: 'judged'; itemId: string; proofs: readonly Proof[] }
  | { type: 'failed'; error: unknown }
  | { type: 'timeChecked' };

export type SessionEffect =
  | { type: 'send'; message: Exclude<RealtimeServerMessage, { type: 'over' | 'failed' }> }
  | { type: 'sendAudio'; utterance: number; pcm: Uint8Array }
  /** Asks the coach to speak after the current speaker. */
  | { type: 'speak' }
  | { type: 'sayGoodbye' }
  | { type: 'interrupt' }
  | { type: 'appendAudio'; pcm: Uint8Array }
  | { type: 'reportPlayback'; position: PlaybackPosition }
  | { type: 'setOnHold'; isOnHold: boolean }
  | { type: 'finishVoice' }
  | { type: 'judge'; itemId: string; before: ConversationState; said: LearnerTurn }
  | { type: 'recordUsage'; used: RealtimeUse }
  /** Informs the device how the session ended and closes the voice. Only usage is recorded after it. */
  | {
      type: 'finish';
      last: { reason: RealtimeEndReason } | { error: unknown };
      outcome: RealtimeSessionEnd['outcome'];
      servedUntilMs: number;
    };

export type SessionStep = Step<SessionState, SessionEffect>;

export interface SessionContext {
  nowMs: number;
  /** Whether the coach's goodbye is accepted. */
  mayEnd: (conversation: ConversationState) => boolean;
}

export const startOfSession = (
  conversation: ConversationState,
  { isOnHold, nowMs }: { isOnHold: boolean; nowMs: number },
): RunningSession => ({
  status: 'running',
  isOpen: false,
  isOnHold,
  isEnding: false,
  beganAtMs: nowMs,
  lastActivityAtMs: nowMs,
  lastDeviceSignAtMs: nowMs,
  playsUntilMs: nowMs,
  utteranceCount: 0,
  utteranceNumberByItem: new Map(),
  goodbye: null,
  conversation,
});
