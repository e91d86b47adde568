/** Responses that the proxy gives itself: those of an older server, and of a load balancer without a backend. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export function respondAsOldServer(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(426, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      defined: true,
      code: 'sync.protocol_too_new',
      status: 426,
      message: 'sync.protocol_too_new',
    }),
  );
}

const STATUSES: readonly number[] = [502, 503, 504, 429];

export function respondUnavailable(request: IncomingMessage, response: ServerResponse, share: number): void {
  request.resume();
  const status = STATUSES[Math.floor((share % 1) * STATUSES.length)] ?? 503;
  response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '0' });
  response.end('<html><body>Try again.</body></html>');
}
