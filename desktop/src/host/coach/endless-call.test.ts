/** Calls with a server that is broken or hostile: what it sends must not fill the memory of the app. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { packCoachAudio, type RealtimeBeginMessage } from '@parley/contract';
import { CoachId, PracticeId, SessionId } from '@parley/domain';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { HostFailure } from '../result/index.ts';
import { connectToServer, type ServerConnection } from '../server/index.ts';
import { openRealtimeConnection } from './realtime-connection.ts';

const MEBIBYTE = 1_048_576;
/** More than the limits and the buffers of the network. */
const SENT_MIB = 200;
const begin: RealtimeBeginMessage = {
  type: 'begin',
  held: {
    sessionId: SessionId.parse('0190b2f0-0000-7000-8000-000000000001'),
    practiceId: PracticeId.parse('0190b2f0-0000-7000-8000-000000000002'),
    agentId: CoachId.parse('0190b2f0-0000-7000-8000-000000000003'),
    difficulty: 'easy',
    turns: [],
    completed: [],
  },
  timeZone: 'UTC',
  takeOver: false,
  patienceMs: null,
  isMoment: false,
};

let serve: (socket: WebSocket) => void;
let refuse: ((socket: Duplex) => void) | null;
let connection: ServerConnection;
let close: () => void;
beforeEach(async () => {
  refuse = null;
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined);
    if (refuse === null) return sockets.handleUpgrade(request, socket, head, (opened) => serve(opened));
    refuse(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  connection = connectToServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => null);
  close = () => {
    connection.cancelAll();
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  };
});
afterEach(() => close());

interface Call {
  failure: HostFailure | null;
  audioBytes: number;
  messages: number;
}

const call = (): Promise<Call> =>
  new Promise((resolve) => {
    let audioBytes = 0;
    let messages = 0;
    openRealtimeConnection(connection, begin, {
      onMessage: () => {
        messages += 1;
      },
      sound: (_utterance, pcm) => {
        audioBytes += pcm.byteLength;
      },
      onPing: () => undefined,
      onClosed: (failure) => resolve({ failure, audioBytes, messages }),
    });
  });

it('ends a connection whose server sends a frame that is too long', async () => {
  serve = (socket) => {
    socket.on('error', () => undefined);
    socket.send(packCoachAudio(1, new Uint8Array(90 * MEBIBYTE)));
  };
  expect(await call()).toEqual({ failure: null, audioBytes: 0, messages: 0 });
});

it('ends a call whose server sends hours of audio at once', async () => {
  serve = (socket) => {
    socket.on('error', () => undefined);
    for (let sent = 0; sent < SENT_MIB; sent += 1) socket.send(packCoachAudio(1, new Uint8Array(MEBIBYTE)));
    socket.close();
  };
  const { failure, audioBytes } = await call();
  expect(failure).toEqual({ code: 'coach.unavailable', detail: 'flood' });
  expect(audioBytes).toBeLessThan(SENT_MIB * MEBIBYTE);
});

it('ends a call whose server sends captions without end', async () => {
  const COUNT = 100_000;
  serve = (socket) => {
    socket.on('error', () => undefined);
    const caption = JSON.stringify({ type: 'coachWords', itemId: 'coach-1', text: 'x' });
    for (let sent = 0; sent < COUNT; sent += 1) socket.send(caption);
    socket.close();
  };
  const { failure, messages } = await call();
  expect(failure).toMatchObject({ code: 'coach.unavailable' });
  expect(messages).toBeLessThan(COUNT);
});

it('plays a minute that arrives at once', async () => {
  serve = (socket) => {
    for (let second = 0; second < 60; second += 1) socket.send(packCoachAudio(1, new Uint8Array(48_000)));
    socket.close();
  };
  expect(await call()).toMatchObject({ failure: null, audioBytes: 60 * 48_000 });
});

it('stops reading a refusal without an end', async () => {
  let sentMib = 0;
  refuse = (socket) => {
    const body = function* () {
      yield 'HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n\r\n';
      for (; sentMib < SENT_MIB && !socket.destroyed; sentMib += 1) yield Buffer.alloc(MEBIBYTE, ' ');
    };
    Readable.from(body()).pipe(socket);
  };
  expect(await call()).toMatchObject({ failure: null });
  expect(sentMib).toBeLessThan(SENT_MIB);
});
