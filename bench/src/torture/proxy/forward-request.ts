/** Forwards a request to the server and the response back, completely or in part. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export { pause };

export interface ProxiedRequest {
  port: number;
  request: IncomingMessage;
  response: ServerResponse;
  onOddAnswer: (what: string) => void;
}

/** Statuses that mean a bug: the device sent something invalid, or the server failed. */
const UNEXPECTED_STATUSES: readonly number[] = [400, 404, 405, 413, 415, 500, 501];

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const HOP_BY_HOP_HEADERS: readonly string[] = ['connection', 'keep-alive'];

const withoutHopByHopHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP_HEADERS.includes(name)));

function openUpstream({ port, request }: ProxiedRequest) {
  return send({
    host: '127.0.0.1',
    port,
    method: request.method,
    path: request.url,
    headers: withoutHopByHopHeaders(request.headers),
    agent: false,
  });
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function awaitResponse(asked: ProxiedRequest, upstream: ReturnType<typeof send>): Promise<IncomingMessage> {
  const [answer] = (await once(upstream, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  const { statusCode = 0 } = answer;
  // A retry finds its link code used up when the response to the first request was lost.
  const isSpentLinkCode = statusCode === 404 && asked.request.url === '/v1/devices/join';
  if (UNEXPECTED_STATUSES.includes(statusCode) && !isSpentLinkCode)
    asked.onOddAnswer(`${statusCode} to ${asked.request.method} ${asked.request.url}`);
  return answer;
}

/** With `bytes`, aborts the request after that many bytes and rejects. */
export async function forwardBody(
  asked: ProxiedRequest,
  body: Buffer,
  bytes: number = body.byteLength,
): Promise<IncomingMessage> {
  const upstream = openUpstream(asked);
  if (bytes < body.byteLength) {
    upstream.on('error', () => undefined);
    await new Promise((resolve) => void upstream.write(body.subarray(0, bytes), resolve));
    upstream.destroy();
    throw new Error('the request was cut');
  }
  upstream.end(body);
  return awaitResponse(asked, upstream);
}

/** Streams the request and the response, whatever their length. */
export async function forwardStreaming(asked: ProxiedRequest): Promise<void> {
  const { request, response } = asked;
  const upstream = openUpstream(asked);
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
  const answer = await awaitResponse(asked, upstream);
  response.writeHead(answer.statusCode ?? 502, withoutHopByHopHeaders(answer.headers));
  // A client that waits for the first event needs the response headers now.
  response.flushHeaders();
  answer.pipe(response);
  await once(answer, 'close');
  if (!answer.complete) response.socket?.destroy();
}

/** Aborts the response: below 1 within the first chunk, above within a later chunk, never at infinity. */
export async function pipePartially(answer: IncomingMessage, response: ServerResponse, share: number): Promise<void> {
  response.writeHead(answer.statusCode ?? 502, withoutHopByHopHeaders(answer.headers));
  let piecesLeft = Math.floor(share);
  for await (const piece of answer) {
    const bytes = piece as Buffer;
    if (piecesLeft === 0) {
      const part = bytes.subarray(0, Math.floor(bytes.byteLength * (share % 1)));
      await new Promise((resolve) => void response.write(part, resolve));
      return;
    }
    piecesLeft -= 1;
    response.write(bytes);
  }
  response.end();
}

const TRICKLE_PIECES = 24;
const TRICKLE_EVERY_MS = 8;
const MIN_PIECE_BYTES = 64;

export async function pipeSlowly(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(answer.statusCode ?? 502, withoutHopByHopHeaders(answer.headers));
  let pauses = 0;
  for await (const piece of answer) {
    const bytes = piece as Buffer;
    const length = Math.max(MIN_PIECE_BYTES, Math.ceil(bytes.byteLength / TRICKLE_PIECES));
    for (let from = 0; from < bytes.byteLength; from += length) {
      response.write(bytes.subarray(from, from + length));
      pauses += 1;
      if (pauses <= TRICKLE_PIECES) await pause(TRICKLE_EVERY_MS);
    }
  }
  response.end();
}
