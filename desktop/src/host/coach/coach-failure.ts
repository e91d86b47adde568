/** Failures of calls to a coach. */
import type { ErrorCode } from '@parley/contract';
import type { HostFailure } from '../result/index.ts';
import { toFailure } from '../server/index.ts';

/** A failure that ends a stream. It is thrown, because a stream has no result. */
export class CoachError extends Error implements HostFailure {
  readonly code: ErrorCode;
  declare readonly field?: string;
  declare readonly detail?: string;
  declare readonly resetsAt?: string;

  constructor({ code, ...data }: HostFailure, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    Object.assign(this, data);
  }
}

/** For a learner in a session, an unreachable server means an unavailable coach. The server's own codes stay as they are. */
export function toCoachFailure(error: unknown): HostFailure {
  const failure = toFailure(error);
  return failure.code === 'sync.offline' ? { ...failure, code: 'coach.unavailable' } : failure;
}
