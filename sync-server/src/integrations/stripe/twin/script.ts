/** How the twin misbehaves when a test tells it to, and what it saw. */

/** What the next call gets; `on` waits for a call whose address begins so, `times` repeats the step. */
export type TwinStep = TwinAct & { on?: string; times?: number };

export type TwinAct =
  /** As it should be: to let some calls pass before another step. */
  | { does: 'answer' }
  /** Does what it was asked for, and answers after as long. */
  | { does: 'answer_late'; ms: number }
  /** Does nothing and says why not, in Stripe's shape: 429, 500, 402 and so on. */
  | { does: 'reject'; status: number; code?: string; message?: string; retryAfterS?: number }
  /** Breaks the connection off: before anything is done, or after all of it. */
  | { does: 'cut'; when: 'before' | 'after' }
  /** Holds the connection and never says a word; what was asked is done or not. */
  | { does: 'fall_silent'; when: 'before' | 'after' }
  /** A page of HTML with status 200, as a network's own sign-in page sends. */
  | { does: 'garble' };

export interface TwinCall {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly params: unknown;
  readonly idempotencyKey: string | null;
  /** Null while it is not answered, or where it never was. */
  status: number | null;
}

export class StepQueue {
  #steps: TwinStep[] = [];

  add(steps: readonly TwinStep[]): void {
    this.#steps.push(...steps.flatMap((step) => Array.from({ length: step.times ?? 1 }, () => step)));
  }

  take(address: string): TwinAct {
    const index = this.#steps.findIndex(({ on = '' }) => address.startsWith(on));
    const [step] = index < 0 ? [] : this.#steps.splice(index, 1);
    return step ?? { does: 'answer' };
  }
}
