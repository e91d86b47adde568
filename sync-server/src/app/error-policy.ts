/** What a caller learns of a failure: an expected one's code and data; of anything else only that it happened, and a number to quote. */
import { ORPCError } from '@orpc/server';
import { ERROR_STATUS_BY_CODE, type ErrorCode, isErrorCode } from '@parley/contract';
import type { FastifyError } from 'fastify';

export interface ErrorAnswer {
  status: number;
  body: { code: ErrorCode; message: string; data?: unknown };
  /** Whether it is ours to look at. */
  isBug: boolean;
}

const answer = (code: ErrorCode, data?: unknown): ErrorAnswer => ({
  status: ERROR_STATUS_BY_CODE[code],
  body: { code, message: code, ...(data === undefined ? {} : { data }) },
  isBug: false,
});

export function answerError(error: unknown, requestId: string): ErrorAnswer {
  if (error instanceof ORPCError && isErrorCode(error.code)) return answer(error.code, error.data ?? undefined);
  if (error instanceof ORPCError && error.status === 400)
    return answer('request.invalid', { field: firstIssuePath(error) });
  const status = (error as Partial<FastifyError> | null)?.statusCode;
  if (status === 413) return answer('request.too_large');
  if (status === 429) return answer('request.too_many');
  if (status !== undefined && status >= 400 && status < 500) return answer('request.invalid');
  return { ...answer('internal', { detail: requestId }), isBug: true };
}

/** Where the request is wrong, as `mutations.0.at`; never the value. */
function firstIssuePath(error: ORPCError<string, unknown>): string | undefined {
  const issues: unknown = (error.data as { issues?: unknown } | undefined)?.issues;
  const first: unknown = Array.isArray(issues) ? issues[0] : undefined;
  const path: unknown = (first as { path?: unknown } | undefined)?.path;
  return Array.isArray(path) ? path.map(String).join('.') : undefined;
}
