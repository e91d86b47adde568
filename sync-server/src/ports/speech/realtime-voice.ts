/** Defines the port of a realtime voice. Audio in both directions is 16-bit little-endian mono PCM at 24 kHz. */
import type { PlaybackPosition, RealtimeServerMessage } from '@parley/contract';
import type { CoachVoice, ServiceFailure } from '@parley/domain';

export interface RealtimeSessionOptions {
  /** Our own instructions, which take precedence over everything in the messages. */
  instructions: string;
  /** The earlier turns, as text. */
  messages: readonly { role: 'coach' | 'learner'; text: string }[];
  voice: CoachVoice;
  /** The silence that ends the learner's turn; null when the voice decides by what was said. */
  patienceMs: number | null;
  /** The function that the voice calls to end the conversation. */
  endFunction: { name: string; description: string };
}

/** Tokens of one kind; `cached` is part of `input`. */
export interface TokenCount {
  input: number;
  cached: number;
  output: number;
}

/** A span of the session's input audio, in ms since its first sample: 0 <= fromMs <= toMs <= audio received. */
export interface AudioSpan {
  fromMs: number;
  toMs: number;
}

/** The usage of one reply or one transcript. */
export type RealtimeUse = { id: string; isEstimate: boolean } & (
  { use: 'reply'; text: TokenCount; audio: TokenCount } | { use: 'transcribe'; seconds: number }
);

/** An event that the server forwards to the device, possibly with fields added. */
type Forwarded<Type extends RealtimeServerMessage['type']> = Extract<RealtimeServerMessage, { type: Type }>;

export type RealtimeEvent =
  | Omit<Forwarded<'coachStarted'>, 'line'>
  | { type: 'coachAudio'; itemId: string; pcm: Uint8Array }
  /** `bargeIn`: the learner interrupts; playback must stop now, and `played` must report how far it got. */
  | Forwarded<'coachWords' | 'bargeIn' | 'learnerStarted'>
  /**
   * The coach's utterance was played to its end or cut off. `isOrdered` marks an utterance with its own instructions.
   * The event follows the transcripts of earlier turns.
   */
  | (Omit<Forwarded<'coachEnded'>, 'isGoodbye'> & { wantsToEnd: boolean; isOrdered: boolean })
  /**
   * The text is empty when nothing was said and null when it is not known yet; a late transcript repeats the event for the same item. The
   * span includes the silence that separates the turn from the next.
   */
  | Forwarded<'learnerSaid'>
  | { type: 'used'; used: RealtimeUse }
  /** This is the last event. */
  | { type: 'failed'; failure: ServiceFailure };

export interface RealtimeSession {
  /** Sends the learner's audio as it arrives. */
  appendAudio: (pcm: Uint8Array) => void;
  /** Reports playback after `bargeIn`, when an utterance is paused or resumed, and when it ends. */
  reportPlayback: (heard: PlaybackPosition) => void;
  /** While on hold, the voice receives silence, does not reply and assumes that nothing is played. */
  setOnHold: (isOn: boolean) => void;
  /** Asks the coach to speak after the current speaker has finished; `instructions` replace the session's own for this utterance. */
  speak: (instructions?: string) => void;
  /** Stops the coach as if the learner had interrupted. */
  interrupt: () => void;
  /** Stops the coach and takes no more audio; resolves when the learner's last turn is transcribed or has timed out. */
  finish: () => Promise<void>;
  /** How long the learner has spoken so far, excluding backchannels such as "mm-hm". */
  learnerSpeechMs: () => number;
  /** Closes the session; resolves when the usage of its last reply is known or cannot be obtained. */
  close: () => Promise<void>;
}

export interface RealtimeVoice {
  readonly name: string;
  /** Opens a session that is ready for audio. It throws a `ServiceFailure`, or the signal's reason; the signal matters only until then. */
  open: (
    request: RealtimeSessionOptions,
    line: { onEvent: (event: RealtimeEvent) => void; signal: AbortSignal },
  ) => Promise<RealtimeSession>;
  /** Creates a short-lived key with which a device could use this voice directly. It throws a `ServiceFailure`. */
  createClientSecret: (
    request: RealtimeSessionOptions,
    signal: AbortSignal,
  ) => Promise<{ secret: string; expiresAt: Date }>;
}
