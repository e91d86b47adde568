/**
 * The single mapping from errors to the contract: an expected error has a code and data, any other only a request id.
 */
import { ORPCError } from '@orpc/server';
import { NothingToAnswerError } from '@parley/coach';
import { ERROR_STATUS_BY_CODE, type ErrorCode, type ErrorData } from '@parley/contract';
import { type FallibleService, ServiceFailure, type ServiceFailureReason } from '@parley/domain';
import type { FastifyError } from 'fastify';
import { isDatabaseInTrouble } from '../../db/database-failure.ts';
import { DomainError } from '../../domain-error.ts';
import { StorageFailure } from '../../ports/storage/storage-failure.ts';

export interface ErrorResponse {
  status: number;
  body: { code: ErrorCode; message: string; data?: ErrorData };
  /** Whether the error is a bug or a problem of the database or the bucket, and must be logged. */
  isBug: boolean;
}

type CodedError = Pick<DomainError, 'code' | 'data'>;

const coded = (code: ErrorCode, data?: ErrorData): CodedError => ({ code, data });

/** A new service or reason does not compile until it has its code here. */
const CODE_BY_FAILURE = {
  coach: {
    key_refused: coded('coach.misconfigured'),
    busy: coded('coach.busy'),
    declined: coded('coach.declined'),
    unreachable: coded('coach.unavailable', { detail: 'unreachable' }),
    malformed: coded('coach.unavailable', { detail: 'malformed' }),
  },
  speech: {
    key_refused: coded('coach.misconfigured'),
    busy: coded('speech.unavailable'),
    declined: coded('speech.unavailable'),
    unreachable: coded('speech.unavailable'),
    malformed: coded('speech.unavailable'),
  },
} as const satisfies Record<FallibleService, Record<ServiceFailureReason, CodedError>>;

/** Returns null for a bug. */
function toCodedError(error: unknown): CodedError | null {
  if (error instanceof DomainError) return error;
  if (error instanceof ServiceFailure) return CODE_BY_FAILURE[error.service][error.reason];
  if (error instanceof NothingToAnswerError) return coded('turn.not_ready', { detail: 'coach' });
  if (error instanceof ORPCError && error.status === 400)
    return coded('request.invalid', { field: firstIssuePath(error) });
  const status = (error as Partial<FastifyError> | null)?.statusCode;
  if (status === 413) return coded('request.too_large');
  if (status === 429) return coded('request.too_many');
  return status !== undefined && status >= 400 && status < 500 ? coded('request.invalid') : null;
}

export function toErrorResponse(error: unknown, requestId: string): ErrorResponse {
  const expected = toCodedError(error);
  const { code, data } = expected ?? coded(codeOfUnexpected(error), { detail: requestId });
  return {
    status: ERROR_STATUS_BY_CODE[code],
    body: { code, message: code, ...(data === undefined ? {} : { data }) },
    isBug: expected === null,
  };
}

function codeOfUnexpected(error: unknown): 'storage.unavailable' | 'sync.offline' | 'internal' {
  // First, because a bucket and a database that cannot be reached have the same network errors.
  if (error instanceof StorageFailure) return 'storage.unavailable';
  // A device assumes that its change has caused an internal error, and sets the change aside if the error recurs.
  return isDatabaseInTrouble(error) ? 'sync.offline' : 'internal';
}

/** Returns the path of the invalid field, such as `mutations.0.at`, and never its value. */
function firstIssuePath(error: ORPCError<string, unknown>): string | undefined {
  const issues: unknown = (error.data as { issues?: unknown } | undefined)?.issues;
  const first: unknown = Array.isArray(issues) ? issues[0] : undefined;
  const path: unknown = (first as { path?: unknown } | undefined)?.path;
  return Array.isArray(path) ? path.map(String).join('.') : undefined;
}
