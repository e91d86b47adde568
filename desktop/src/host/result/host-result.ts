/** The result type of the host: an expected failure is a value with a code from the contract. */
import type { ErrorCode } from '@parley/contract';
import { err, type Result } from '@parley/domain';

export interface HostFailure {
  code: ErrorCode;
  field?: string;
  detail?: string;
  /** ISO 8601 time at which a used-up quota is renewed. */
  resetsAt?: string;
  /** With `auth.device_revoked`: the server orders the deletion of the account's data on this device. */
  wipeKey?: string;
}

export type HostResult<Value> = Result<Value, HostFailure>;

export const failed = (code: ErrorCode, data: Omit<HostFailure, 'code'> = {}): { ok: false; error: HostFailure } =>
  err({ code, ...data });
