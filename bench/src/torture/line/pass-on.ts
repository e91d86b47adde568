/** Sends a request on to the server and its answer back, whole or in part. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export { pause };

export interface Asked {
  port: number;
  request: IncomingMessage;
  response: ServerResponse;
  onOddAnswer: (what: string) => void;
}

/** Answers that mean a fault of ours: the device asked what it should not, or the server broke. */
const ODD_STATUSES: readonly number[] = [400, 404, 405, 413, 415, 500, 501];

/** Belong to one connection, not to the message (RFC 9110, 7.6.1). */
const OF_CONNECTION: readonly string[] = ['connection', 'keep-alive'];

const headersOf = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name)));

function open({ port, request }: Asked) {
  return send({
    host: '127.0.0.1',
    port,
    method: request.method,
    path: request.url,
    headers: headersOf(request.headers),
    agent: false,
  });
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function answerTo(asked: Asked, upstream: ReturnType<typeof send>): Promise<IncomingMessage> {
  const [answer] = (await once(upstream, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  const { statusCode = 0 } = answer;
  // A code for a second device is used up by its first request, though the answer be lost.
  const isUsedUp = statusCode === 404 && asked.request.url === '/v1/devices/join';
  if (ODD_STATUSES.includes(statusCode) && !isUsedUp)
    asked.onOddAnswer(`${statusCode} to ${asked.request.method} ${asked.request.url}`);
  return answer;
}

/** With `bytes` the request breaks off after so many, and there is no answer: this rejects. */
export async function ask(asked: Asked, body: Buffer, bytes: number = body.byteLength): Promise<IncomingMessage> {
  const upstream = open(asked);
  if (bytes < body.byteLength) {
    upstream.on('error', () => undefined);
    await new Promise((resolve) => void upstream.write(body.subarray(0, bytes), resolve));
    upstream.destroy();
    throw new Error('the request was cut');
  }
  upstream.end(body);
  return answerTo(asked, upstream);
}

/** As it comes: bodies and streams of any length. */
export async function passOn(asked: Asked): Promise<void> {
  const { request, response } = asked;
  const upstream = open(asked);
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
  const answer = await answerTo(asked, upstream);
  response.writeHead(answer.statusCode ?? 502, headersOf(answer.headers));
  // Whoever waits for the first event of a stream waits for its head.
  response.flushHeaders();
  answer.pipe(response);
  await once(answer, 'close');
  if (!answer.complete) response.socket?.destroy();
}

/** A share under 1 breaks off inside the first piece, from 1 on inside a later one; infinity never. */
export async function pipeUntil(answer: IncomingMessage, response: ServerResponse, share: number): Promise<void> {
  response.writeHead(answer.statusCode ?? 502, headersOf(answer.headers));
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
const LEAST_PIECE_BYTES = 64;

export async function pipeSlowly(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(answer.statusCode ?? 502, headersOf(answer.headers));
  let pauses = 0;
  for await (const piece of answer) {
    const bytes = piece as Buffer;
    const length = Math.max(LEAST_PIECE_BYTES, Math.ceil(bytes.byteLength / TRICKLE_PIECES));
    for (let from = 0; from < bytes.byteLength; from += length) {
      response.write(bytes.subarray(from, from + length));
      pauses += 1;
      if (pauses <= TRICKLE_PIECES) await pause(TRICKLE_EVERY_MS);
    }
  }
  response.end();
}
