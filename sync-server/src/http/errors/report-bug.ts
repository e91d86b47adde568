/** Logs an unexpected error under the name on which operators set an alert. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** If a caller hangs up while a response is being sent, Fastify reports the response that was cut off as an error. */
export function reportBug(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const isCutOff = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
  if (isCutOff && reply.raw.closed) request.log.info('caller_hung_up');
  else request.log.error({ err: error }, 'unhandled_error');
}
