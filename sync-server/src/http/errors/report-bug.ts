/** Logs an error that nothing expects, under the name on which operators set an alert. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * If a caller hangs up after the whole request has arrived, Fastify takes the answer that can no longer be sent for a
 * failure.
 */
export function reportBug(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const isCutOff = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
  if (isCutOff && reply.raw.closed) request.log.info('caller_hung_up');
  else request.log.error({ err: error }, 'unhandled_error');
}
