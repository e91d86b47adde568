/** Scripts what the realtime fake says, transcribes and rejects. */
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';

/** One response of the model. A plain string is short for a response with that text alone. */
export interface ScriptedReply {
  text: string;
  /** Duration of the audio; by default estimated from the text. */
  audioMs?: number;
  /** Delay before the first word. */
  delayMs?: number;
  /** A function that the model calls after its text. */
  callsFunction?: string;
  /**
   * Failure after this much audio: `cut` drops the connection; `failed` and `filtered`, by the content filter, end the response as the
   * protocol does.
   */
  failure?: {
    does: 'cut' | 'fall_silent' | 'garble' | 'garble_json' | 'error' | 'failed' | 'filtered';
    afterMs: number;
    /** The first words of the transcript arrive before the failure. */
    isAfterWords?: boolean;
    code?: string;
  };
}

/** What the next connection gets instead of a session. */
export type ScriptedRejection =
  | { does: 'reject'; status: number; code?: string; retryAfterMs?: number }
  /** Opens and stays silent. */
  | { does: 'fall_silent' }
  /** Rejects the requested session settings. */
  | { does: 'refuse_session'; code: string };

/** Initial script of the fake. */
export interface RealtimeScriptOptions {
  replies?: readonly (string | ScriptedReply)[];
  transcripts?: readonly (string | null)[];
  rejections?: readonly ScriptedRejection[];
}

/** A connection as the fake recorded it. */
export interface RecordedSession {
  readonly model: string;
  /** Received events without the audio, oldest first. */
  readonly received: readonly RealtimeClientEvent[];
  /** Duration of all received audio. */
  readonly receivedMs: () => number;
  /** Times at which speech was reported, by `performance.now()`. */
  readonly speechStartedAt: readonly number[];
  readonly state: 'open' | 'closed';
}

export class RealtimeScript {
  #replies: ScriptedReply[] = [];
  #transcripts: (string | null)[] = [];
  #rejections: ScriptedRejection[] = [];

  constructor({ replies = [], transcripts = [], rejections = [] }: RealtimeScriptOptions = {}) {
    this.queueReplies(...replies);
    this.queueTranscripts(...transcripts);
    this.queueRejections(...rejections);
  }

  /** Queues the next responses. Without any, the fake uses default answers. */
  queueReplies(...newReplies: (string | ScriptedReply)[]): void {
    this.#replies.push(...newReplies.map((line) => (typeof line === 'string' ? { text: line } : line)));
  }

  /** Queues transcripts for the next turns, before default ones; null is a transcription that fails. */
  queueTranscripts(...transcripts: (string | null)[]): void {
    this.#transcripts.push(...transcripts);
  }

  queueRejections(...newRejections: ScriptedRejection[]): void {
    this.#rejections.push(...newRejections);
  }

  /** Drops everything still queued. */
  clear(): void {
    this.#replies = [];
    this.#transcripts = [];
    this.#rejections = [];
  }

  nextReply = (): ScriptedReply | undefined => this.#replies.shift();
  nextRejection = (): ScriptedRejection | undefined => this.#rejections.shift();
  nextTranscript = (): string | null | undefined => this.#transcripts.shift();
}
