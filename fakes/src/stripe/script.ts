/** Scripts the fake's failures and records the requests that it received. */

/**
 * The behaviour for the next request. With `on`, it waits for a request whose method and path begin with that; `times`
 * repeats the step.
 */
export type ScriptStep = ScriptedBehaviour & { on?: string; times?: number };

export type ScriptedBehaviour =
  /** Answers normally, to let some requests pass before another step. */
  | { does: 'answer' }
  /** Performs the request and answers after a delay. */
  | { does: 'answer_late'; ms: number }
  /**
   * Does nothing and sends an error in Stripe's format: 429, 500, 402 and so on. `isKept`: the error occurred after the
   * execution had begun, so for a day Stripe repeats it to requests with the same idempotency key.
   */
  | { does: 'reject'; status: number; code?: string; message?: string; retryAfterS?: number; isKept?: boolean }
  /** Drops the connection before or after performing the request. */
  | { does: 'cut'; when: 'before' | 'after' }
  /** Holds the connection without an answer, before or after performing the request. */
  | { does: 'fall_silent'; when: 'before' | 'after' }
  /** Sends an HTML page with status 200, like a network's sign-in page. */
  | { does: 'garble' };

export interface RecordedCall {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly params: unknown;
  readonly idempotencyKey: string | null;
  /** Null until the request is answered. */
  status: number | null;
}

export class StepQueue {
  #steps: ScriptStep[] = [];

  add(steps: readonly ScriptStep[]): void {
    this.#steps.push(...steps.flatMap((step) => Array.from({ length: step.times ?? 1 }, () => step)));
  }

  take(address: string): ScriptedBehaviour {
    const index = this.#steps.findIndex(({ on = '' }) => address.startsWith(on));
    const [step] = index < 0 ? [] : this.#steps.splice(index, 1);
    return step ?? { does: 'answer' };
  }
}
