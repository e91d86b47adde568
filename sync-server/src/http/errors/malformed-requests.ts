/** Answers requests that Node rejects before routing (malformed, too large or too slow) with the contract's error codes. */
import { ERROR_STATUS_BY_CODE, type ErrorCode } from '@parley/contract';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';

/** A request that times out while arriving is treated like a lost connection, so the device retries. */
const CODE_BY_CAUSE: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'request.too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'sync.offline',
};

export function replyToMalformedRequest(log: FastifyBaseLogger, cause: string, socket: Socket): void {
  if (cause === 'ECONNRESET' || socket.destroyed) return;
  const code = CODE_BY_CAUSE[cause] ?? 'request.invalid';
  // Logs only the cause, because the error holds the received bytes, which may contain a token.
  log.info({ cause, code }, 'malformed_request_rejected');
  if (!socket.writable) return void socket.destroy();
  const status = ERROR_STATUS_BY_CODE[code];
  const body = JSON.stringify({ code, message: code });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
