/** What never becomes a request, for it is no HTTP, too long or too slow, is answered in the contract's codes all the same. */
import { ERROR_STATUS_BY_CODE, type ErrorCode } from '@parley/contract';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';

/** A line on which a request takes so long is as good as none: its device tries again. */
const CODE_BY_CAUSE: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'request.too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'sync.offline',
};

export function answerClientError(log: FastifyBaseLogger, cause: string, socket: Socket): void {
  if (cause === 'ECONNRESET' || socket.destroyed) return;
  const code = CODE_BY_CAUSE[cause] ?? 'request.invalid';
  // Only the cause: the error itself holds the bytes, and they may hold a token.
  log.info({ cause, code }, 'refused before it was a request');
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
