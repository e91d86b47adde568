/** Expected failures become the contract's errors; a bug is written down once, with an id, and answered as `internal`. */
import { ORPCError, ValidationError } from '@orpc/server';
import { type ErrorCode, ERROR_STATUS_BY_CODE, isErrorCode } from '@parley/contract';
import type { Answer, HostFailure } from './answer/index.ts';
import type { Logger } from './logger.ts';
import { isDamage, isDiskFull } from './store/index.ts';

type Constructors = { [Code in ErrorCode]: (options: { data?: Omit<HostFailure, 'code'> }) => Error };

/** The value of an answer, or the typed error that its failure is. */
export async function orThrow<Value>(
  errors: Constructors,
  answer: Answer<Value> | Promise<Answer<Value>>,
): Promise<Value> {
  const settled = await answer;
  if (settled.ok) return settled.value;
  const { code, ...data } = settled.error;
  throw errors[code]({ data });
}

/** What a thrown error means to whoever asked. */
export function failureOfThrown(
  error: unknown,
  { logger, newId }: { logger: Logger; newId: () => string },
): HostFailure {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) {
    const path = error.cause.issues[0]?.path?.map((part) => (typeof part === 'object' ? part.key : part)).join('.');
    return { code: 'request.invalid', ...(path === undefined ? {} : { field: path }) };
  }
  if (isDiskFull(error)) return { code: 'storage.full' };
  if (isDamage(error)) return { code: 'storage.damaged' };
  const bugId = newId();
  logger.error({ err: error, bugId }, 'a bug');
  return { code: 'internal', detail: bugId };
}

export const isExpected = (error: unknown): boolean =>
  error instanceof ORPCError && isErrorCode(error.code) && error.status === ERROR_STATUS_BY_CODE[error.code];
