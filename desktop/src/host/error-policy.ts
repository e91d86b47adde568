/** Maps expected failures to contract errors. A bug is logged once with an id and reported as `internal`. */
import { ORPCError, ValidationError } from '@orpc/server';
import { type ErrorCode, ERROR_STATUS_BY_CODE, isErrorCode } from '@parley/contract';
import { CoachError } from './coach/index.ts';
import type { HostResult, HostFailure } from './result/index.ts';
import type { Logger } from './logger.ts';
import { isDamageError, isDiskFullError } from './store/index.ts';

type ErrorConstructors = { [Code in ErrorCode]: (options: { data?: Omit<HostFailure, 'code'> }) => Error };

/** Returns the value of a result, or throws its failure as the contract's typed error. */
export async function unwrapOrThrow<Value>(
  errors: ErrorConstructors,
  result: HostResult<Value> | Promise<HostResult<Value>>,
): Promise<Value> {
  const resolved = await result;
  if (resolved.ok) return resolved.value;
  throw toContractError(errors, resolved.error);
}

/** Does the same for a stream, which throws its failure because it has no result. Any other exception is a bug. */
export async function* streamOrThrow<Event>(
  errors: ErrorConstructors,
  stream: AsyncGenerator<Event, void>,
): AsyncGenerator<Event, void> {
  try {
    yield* stream;
  } catch (error) {
    throw error instanceof CoachError ? toContractError(errors, error) : error;
  }
}

const toContractError = (errors: ErrorConstructors, { code, ...data }: HostFailure): Error => errors[code]({ data });

/** Maps a thrown error to the failure that the caller receives. */
export function toHostFailure(error: unknown, { logger, newId }: { logger: Logger; newId: () => string }): HostFailure {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) {
    const path = error.cause.issues[0]?.path?.map((part) => (typeof part === 'object' ? part.key : part)).join('.');
    return { code: 'request.invalid', ...(path === undefined ? {} : { field: path }) };
  }
  if (isDiskFullError(error)) return { code: 'storage.full' };
  if (isDamageError(error)) return { code: 'storage.damaged' };
  const bugId = newId();
  logger.error({ err: error, bugId }, 'unhandled_error');
  return { code: 'internal', detail: bugId };
}

export const isContractError = (error: unknown): boolean =>
  error instanceof ORPCError && isErrorCode(error.code) && error.status === ERROR_STATUS_BY_CODE[error.code];
