/** Expected failures are values: a function that may fail for a reason of the learner's world returns one of these. */
export type Result<Value, Failure> = { ok: true; value: Value } | { ok: false; error: Failure };

export const ok = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value });
export const err = <Failure>(error: Failure): { ok: false; error: Failure } => ({ ok: false, error });
