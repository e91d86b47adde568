/** Scripts the fake's behaviour request by request. */

/** The behaviour for one request; `times` repeats it. */
export type ScriptStep = ScriptedBehaviour & { times?: number };

export type ScriptedBehaviour =
  /** Answers with a text, JSON or transcript; by default with a default answer. */
  | { does: 'answer'; text?: string }
  /** Sends the answer after a delay. */
  | { does: 'answer_late'; ms: number; text?: string }
  /** Sends an error in OpenAI's format; `retryAfterMs` goes into the headers. */
  | { does: 'reject'; status: number; code?: string; retryAfterMs?: number }
  /** The model refuses. */
  | { does: 'refuse' }
  /** Sends half of the answer and reports that the token limit was reached. */
  | { does: 'stop_short'; text?: string }
  /** Sends half of the answer and reports that a filter stopped it. */
  | { does: 'filter' }
  /** Sends the text, if any, and then fails: with an event of its own or a plain error. */
  | { does: 'fail'; code: string; text?: string; by?: 'event' | 'error' }
  /** Drops the connection after this many events or chunks of audio. */
  | { does: 'cut'; afterEvents: number }
  /** Stops sending after this many events and keeps the connection open. */
  | { does: 'fall_silent'; afterEvents: number }
  /** Sends JSON that ends in the middle, in the body or in the second event. */
  | { does: 'garble_json' }
  /** Sends a valid response of another content type with status 200. */
  | { does: 'garble_stream' };

/** A received request and its outcome. */
export interface RecordedCall {
  readonly method: string;
  /** For example `/v1/responses`. */
  readonly path: string;
  /** JSON, or a form's fields with files as bytes. */
  readonly body: Readonly<Record<string, unknown>>;
  /** `hung_up` means that the client closed the connection before the answer was complete. */
  readonly state: 'open' | 'answered' | 'hung_up';
}

/** Features that older servers of this protocol lack. */
export interface UnsupportedFeatures {
  /** The status that is answered instead. */
  responses?: 404 | 405 | 501;
  jsonSchema?: boolean;
  jsonObject?: boolean;
}

/** The steps for the next requests, each repeated as often as it says. */
export class StepQueue {
  #steps: ScriptStep[] = [];

  add(steps: readonly ScriptStep[]): void {
    this.#steps.push(...steps.flatMap((step) => Array.from({ length: step.times ?? 1 }, () => step)));
  }

  take(): ScriptStep | undefined {
    return this.#steps.shift();
  }
}
