/** A voice that listens while it speaks, whoever it is. Sound both ways is 16-bit little-endian mono PCM at 24 kHz. */
import type { LineHeard } from '@parley/contract';
import type { CoachVoice } from '@parley/domain';
import type { SpeechFailure } from './ports.ts';

export interface RealtimeWish {
  /** What only we say: it outranks everything in the messages. */
  instructions: string;
  /** What was said before, told as text. */
  messages: readonly { role: 'coach' | 'learner'; text: string }[];
  voice: CoachVoice;
  /** The silence that ends the learner's turn; null where the voice feels it by what was said. */
  patienceMs: number | null;
  /** What the voice calls when it thinks that the conversation is over. */
  endFunction: { name: string; description: string };
}

/** Of one kind of token; `cached` is a part of `input`. */
export interface TokenCount {
  input: number;
  cached: number;
  output: number;
}

/** A place in the sound that the session was given to hear, in ms since its first sample: 0 <= fromMs <= toMs <= what was heard. */
export interface SoundPlace {
  fromMs: number;
  toMs: number;
}

/** What one answer took, or one transcript. */
export type RealtimeUse = { id: string; isEstimate: boolean } & (
  { use: 'reply'; text: TokenCount; audio: TokenCount } | { use: 'transcribe'; seconds: number }
);

export type RealtimeEvent =
  | { type: 'coachStarted'; itemId: string }
  | { type: 'coachAudio'; itemId: string; pcm: Uint8Array }
  /** Ahead of the sound. */
  | { type: 'coachWords'; itemId: string; text: string }
  /**
   * Heard to its end, or cut: `text` is what was heard. `isOrdered`: spoken by instructions of its own. Comes after the transcripts of the turns
   * before it.
   */
  | { type: 'coachEnded'; itemId: string; text: string; wasCut: boolean; wantsToEnd: boolean; isOrdered: boolean }
  | { type: 'learnerStarted'; fromMs: SoundPlace['fromMs'] }
  /**
   * Empty where nothing was said, null where that is not known: words that come late are told by another of the same item. With the silence
   * around it by which the voice told it from the next.
   */
  | ({ type: 'learnerSaid'; itemId: string; text: string | null } & SoundPlace)
  /** The learner interrupts: playback must stop now, and `played` say how far it came. */
  | { type: 'bargeIn'; itemId: string }
  | { type: 'used'; used: RealtimeUse }
  /** The last of all. */
  | { type: 'failed'; failure: SpeechFailure };

export interface RealtimeSession {
  /** The learner's sound, as it comes. */
  hear: (pcm: Uint8Array) => void;
  /** After `bargeIn`, when a line is held and when it goes on, and when it was played to its end. */
  played: (heard: LineHeard) => void;
  /** On: hears silence, answers nothing, and takes it that nothing is played. */
  giveMeAMoment: (isOn: boolean) => void;
  /** Lets the coach speak, once whoever is speaking has finished; `instructions` stand in for the session's own, this once. */
  speak: (instructions?: string) => void;
  /** Stops the coach where it is, as if the learner had broken in. */
  cut: () => void;
  /** Stops the coach and hears no more; resolves when what the learner said until now is told, or not waited for any longer. */
  finish: () => Promise<void>;
  /** How long the learner has spoken so far, without words of agreement. */
  spokenMs: () => number;
  /** Nothing is heard of it any more but what its last answer took; resolves when that is known too, or not to be had. */
  close: () => Promise<void>;
}

export interface RealtimeVoice {
  readonly name: string;
  /** Ready to be spoken to. Throws a `SpeechFailure`, or what the signal says, which matters only until then. */
  open: (
    wish: RealtimeWish,
    line: { hear: (event: RealtimeEvent) => void; signal: AbortSignal },
  ) => Promise<RealtimeSession>;
  /** A key with which a device could speak with this voice by itself, for a minute or so. Throws a `SpeechFailure`. */
  mintSecret: (wish: RealtimeWish, signal: AbortSignal) => Promise<{ secret: string; expiresAt: Date }>;
}
