/** An expected failure on its way to a caller: one of the contract's codes, with its status. */
import { ORPCError } from '@orpc/server';
import { ERROR_STATUS_BY_CODE, type ErrorCode, type ErrorData } from '@parley/contract';

export const failure = (code: ErrorCode, data?: ErrorData): ORPCError<ErrorCode, ErrorData | undefined> =>
  new ORPCError(code, { status: ERROR_STATUS_BY_CODE[code], message: code, data });
