/** What a twin is told to do, call by call. */

/** One call's answer. `times` repeats it for as many calls. */
export type TwinStep = TwinAct & { times?: number };

export type TwinAct =
  /** Words, JSON or a transcript; what the twin would say itself where none are given. */
  | { does: 'answer'; text?: string }
  /** The answer, but not a byte of it before. */
  | { does: 'answer_late'; ms: number; text?: string }
  /** An error instead of an answer, in OpenAI's shape; `retryAfterMs` goes into the headers. */
  | { does: 'reject'; status: number; code?: string; retryAfterMs?: number }
  /** The model will not answer this. */
  | { does: 'refuse' }
  /** Half of the answer, and that the limit of tokens is reached. */
  | { does: 'stop_short'; text?: string }
  /** Half of the answer, and that a filter stopped it. */
  | { does: 'filter' }
  /** The text, if any, and then that the answer failed: by an event of its own, or by a bare error. */
  | { does: 'fail'; code: string; text?: string; by?: 'event' | 'error' }
  /** Breaks the connection off after so many events or pieces of sound. */
  | { does: 'cut'; afterEvents: number }
  /** Says no more after so many, and holds the connection. */
  | { does: 'fall_silent'; afterEvents: number }
  /** JSON that ends in the middle, in the body or in the second event. */
  | { does: 'garble_json' }
  /** Something else altogether, in good order and with status 200. */
  | { does: 'garble_stream' };

/** What was asked, and what became of it. */
export interface TwinCall {
  readonly method: string;
  /** Such as `/v1/responses`. */
  readonly path: string;
  /** JSON, or a form's fields with files as bytes. */
  readonly body: Readonly<Record<string, unknown>>;
  /** `hung_up`: whoever asked closed the connection before the answer was whole. */
  readonly state: 'open' | 'answered' | 'hung_up';
}

/** What older servers of this protocol do not know. */
export interface TwinLacks {
  /** The status that it says instead. */
  responses?: 404 | 405 | 501;
  jsonSchema?: boolean;
  jsonObject?: boolean;
}

/** Steps that were given for the next calls, each of them as often as it says. */
export class StepQueue {
  #steps: TwinStep[] = [];

  add(steps: readonly TwinStep[]): void {
    this.#steps.push(...steps.flatMap((step) => Array.from({ length: step.times ?? 1 }, () => step)));
  }

  take(): TwinStep | undefined {
    return this.#steps.shift();
  }
}
