/** The return type of a function that can fail for an expected reason, which it returns instead of throwing. */
export type Result<Value, Failure> = { ok: true; value: Value } | { ok: false; error: Failure };

export const ok = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value });
export const err = <Failure>(error: Failure): { ok: false; error: Failure } => ({ ok: false, error });
