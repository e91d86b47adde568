/** Training in small steps, so that the host can do other work between them. */

/** Each step takes well under a millisecond. */
export type Training<Result> = Generator<void, Result>;

/** A model that is trained in advance, step by step, or at once when it is needed. */
export interface Trainable<Result> {
  /** Returns true when the model is complete. */
  step: () => boolean;
  /** Completes the training at once. */
  get: () => Result;
}

export function trainable<Result>(begin: () => Training<Result>): Trainable<Result> {
  let training: Training<Result> | null = null;
  let trained: { result: Result } | null = null;
  const step = (): boolean => {
    if (trained !== null) return true;
    training ??= begin();
    const next = training.next();
    if (next.done !== true) return false;
    trained = { result: next.value };
    training = null;
    return true;
  };
  return {
    step,
    get: () => {
      while (trained === null) step();
      return trained.result;
    },
  };
}
