/** A stranger sends requests that are malformed, or that offer another protocol, and resets their connections. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_PUSH_BYTES, POKES_PATH } from '@parley/contract';
import { type AttackAccount, registerAccount } from '../anonymous-account.ts';
import type { Attack } from '../attack.ts';
import { measureAttack } from '../measure-attack.ts';
import { SERVER_KINDS, type Target } from '../target.ts';

const ROUNDS = 3;
/** A reset arrives before the request was read, while it is answered, or after that. */
const RESET_AFTER_MS = [0, 1, 5, 25, 100] as const;

/** Bytes to send. The last variants are those of a device with an account. */
const requestsOf = ({ authorization, streamBody }: AttackAccount): readonly string[] => {
  const head = (line: string, ...headers: string[]): string =>
    [`${line} HTTP/1.1`, 'host: localhost', ...headers, '', ''].join('\r\n');
  const asJson = 'content-type: application/json';
  const asDevice = `authorization: ${authorization}`;
  const upgrade = (protocol: string, ...headers: string[]): string[] => [
    `upgrade: ${protocol}`,
    'connection: upgrade, http2-settings',
    ...headers,
  ];
  return [
    head('CONNECT localhost:443'),
    head('GET /', ...upgrade('h2c', 'http2-settings: AAMAAABkAAQAoAAAAAIAAAAA')),
    head('GET /v1/coach/realtime', ...upgrade('websocket', 'sec-websocket-version: 13', 'sec-websocket-key: ?')),
    head(
      'GET /v1/coach/realtime',
      ...upgrade('websocket', 'sec-websocket-version: 13', 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA=='),
    ),
    head('POST /v1/devices/register', ...upgrade('websocket'), 'content-length: 10'),
    'GET / HTTP/1.1\r\nhost:',
    '\u0016\u0003\u0001',
    head('GET /blog').repeat(20),
    head('GET /', ...Array.from({ length: 3_000 }, (_, n) => `x-${n}: ${n}`)),
    head('GET /', `x: ${'x'.repeat(200_000)}`),
    head('POST /v1/devices/register', asJson, 'content-length: 10', 'transfer-encoding: chunked'),
    head('POST /v1/devices/register', asJson, 'transfer-encoding: chunked') + `1;${'x'.repeat(200_000)}\r\n{\r\n`,
    head('POST /v1/devices/register', asJson, 'transfer-encoding: chunked') + '1\r\n{\r\nnone\r\n',
    head('POST /v1/devices/register', asJson, 'content-length: 10', 'expect: 100-continue'),
    head('POST /v1/devices/register', asJson, 'content-length: 10', 'expect: nothing'),
    head('POST /v1/devices/register', asJson, 'content-length: 10') + '{',
    head('GET /admin/'),
    head('GET /openapi.json', 'accept-encoding: zstd'),
    head(`GET ${POKES_PATH}`, asDevice),
    head('POST /v1/sync/stream', asJson, asDevice, `content-length: ${streamBody.length}`) + streamBody,
    head('POST /v1/sync/push', asJson, asDevice, `content-length: ${MAX_PUSH_BYTES}`) + ' '.repeat(100_000),
    head('POST /v1/sync/push', asJson, asDevice, 'content-encoding: gzip', 'content-length: 1000') + '\u001f',
    head('GET /v1/account/export', asDevice),
  ];
};

export const brokenConnections: Attack = {
  name: 'A stranger offers other protocols, sends malformed requests, and resets the connections',
  before: 'a reset connection ended a server without calls',
  target: 'no honest request fails',
  on: SERVER_KINDS,
  run: async (target) => {
    const requests = requestsOf(await registerAccount(target));
    const { honestFailures } = await measureAttack(target, async () => {
      for (let round = 0; round < ROUNDS; round += 1)
        for (const afterMs of RESET_AFTER_MS)
          await Promise.all(requests.map((request) => sendAndReset(target, request, afterMs)));
      return () => undefined;
    });
    return { after: `${honestFailures} honest requests failed`, holds: honestFailures === 0 };
  },
};

async function sendAndReset({ port }: Target, request: string, afterMs: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect').catch(() => undefined);
  socket.write(Buffer.from(request, 'latin1'));
  await sleep(afterMs);
  socket.resetAndDestroy();
}
