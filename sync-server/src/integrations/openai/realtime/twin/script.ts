/** What a realtime twin is told to do. */
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';

/** One answer of the model. A bare string is only its words. */
export interface TwinLine {
  text: string;
  /** Of its tone; by the length of the words where nothing is said. */
  audioMs?: number;
  /** Before its first word. */
  thinksMs?: number;
  /** A function that the model calls after its words. */
  calls?: string;
  /** What becomes of it after so much sound: `cut` breaks the line off, `failed` ends the answer in the protocol's own way. */
  goesWrong?: {
    does: 'cut' | 'fall_silent' | 'garble' | 'garble_json' | 'error' | 'failed';
    afterMs: number;
    code?: string;
  };
}

/** What the next connection gets in place of a session. */
export type TwinRefusal =
  | { does: 'reject'; status: number; code?: string; retryAfterMs?: number }
  /** Opens, and says nothing. */
  | { does: 'fall_silent' }
  /** Does not take the session that was asked for. */
  | { does: 'refuse_session'; code: string };

/** What the twin is told before anybody calls. */
export interface TwinOrders {
  says?: readonly (string | TwinLine)[];
  hears?: readonly (string | null)[];
  refuses?: readonly TwinRefusal[];
}

/** A connection as the twin saw it. */
export interface TwinSession {
  readonly model: string;
  /** What was sent, oldest first, without the sound. */
  readonly received: readonly RealtimeClientEvent[];
  /** Of sound, all in all. */
  readonly heardMs: () => number;
  /** When it told of speech, by `performance.now()`. */
  readonly speechStartedAt: readonly number[];
  readonly state: 'open' | 'closed';
}

export class TwinScript {
  #lines: TwinLine[] = [];
  #transcripts: (string | null)[] = [];
  #refusals: TwinRefusal[] = [];

  constructor({ says = [], hears = [], refuses = [] }: TwinOrders = {}) {
    this.says(...says);
    this.hears(...hears);
    this.refuses(...refuses);
  }

  /** The next answers, in their order; where none is left it makes one up. */
  says(...lines: (string | TwinLine)[]): void {
    this.#lines.push(...lines.map((line) => (typeof line === 'string' ? { text: line } : line)));
  }

  /** What it takes the next turns for, and then what it makes up; null is a transcript that fails. */
  hears(...transcripts: (string | null)[]): void {
    this.#transcripts.push(...transcripts);
  }

  refuses(...refusals: TwinRefusal[]): void {
    this.#refusals.push(...refusals);
  }

  /** Forgets what was not asked for yet. */
  clear(): void {
    this.#lines = [];
    this.#transcripts = [];
    this.#refusals = [];
  }

  nextLine = (): TwinLine | undefined => this.#lines.shift();
  nextRefusal = (): TwinRefusal | undefined => this.#refusals.shift();
  nextTranscript = (): string | null | undefined => this.#transcripts.shift();
}
