/** An expected refusal by a feature, such as an exhausted quota. The HTTP layer maps it to a response. */
import type { ErrorCode, ErrorData } from '@parley/contract';

export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData | undefined;

  constructor(code: ErrorCode, data?: ErrorData) {
    super(code);
    this.code = code;
    this.data = data;
  }
}

export const hasErrorCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof DomainError && error.code === code;
