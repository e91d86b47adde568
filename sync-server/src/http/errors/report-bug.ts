/** Logs an unexpected error under the name on which operators set an alert. */
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseInTrouble } from '../../db/database-failure.ts';
import { StorageFailure } from '../../ports/storage/storage-failure.ts';

/**
 * If a caller hangs up after the whole request has arrived, the work for them is aborted, or Fastify takes the answer
 * that can no longer be sent for a failure.
 */
export function reportBug(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.closed && isCutOff(error)) request.log.info('caller_hung_up');
  else logUnexpected(request.log, error);
}

/** While the database is away, every request fails, and none of that is a bug. */
export function logUnexpected(log: FastifyBaseLogger, error: unknown, fields: { requestId?: string } = {}): void {
  if (!(error instanceof StorageFailure) && isDatabaseInTrouble(error))
    log.warn({ err: error, ...fields }, 'database_unavailable');
  else log.error({ err: error, ...fields }, 'unhandled_error');
}

const isCutOff = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'));
