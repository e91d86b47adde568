/** How a feature says that something expected went wrong: a value with one of the contract's codes. */
import type { ErrorCode } from '@parley/contract';
import { err, type Result } from '@parley/domain';

export interface HostFailure {
  code: ErrorCode;
  field?: string;
  detail?: string;
  /** When what is used up begins anew, in ISO 8601. */
  resetsAt?: string;
}

export type Answer<Value> = Result<Value, HostFailure>;

export const failed = (code: ErrorCode, data: Omit<HostFailure, 'code'> = {}): { ok: false; error: HostFailure } =>
  err({ code, ...data });
