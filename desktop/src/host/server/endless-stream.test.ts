/** Streams of a server that is broken or hostile: without an end, they would fill the memory of the app. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ConversationSnapshot } from '@parley/contract';
import { CoachId, PracticeId, SessionId } from '@parley/domain';
import { expect, it, onTestFinished } from 'vitest';
import { connectToServer, type ServerConnection } from './index.ts';

const MEBIBYTE = 1_048_576;
/** More than the limit of each stream and the buffers of the network. */
const SENT_MIB = 100;
const conversation: ConversationSnapshot = {
  sessionId: SessionId.parse('0190b2f0-0000-7000-8000-000000000001'),
  practiceId: PracticeId.parse('0190b2f0-0000-7000-8000-000000000002'),
  agentId: CoachId.parse('0190b2f0-0000-7000-8000-000000000003'),
  difficulty: 'easy',
  turns: [],
  completed: [],
};
const VOICE = { gender: 'female', locale: 'en', rate: 1, pitch: 1 } as const;
const WORDS = `event: message\ndata: ${JSON.stringify({ type: 'words', text: 'x'.repeat(MEBIBYTE / 4) })}\n\n`;

/** Reads a stream to its end. */
type Read = (connection: ServerConnection) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;

const STREAMS: readonly [name: string, type: string, chunk: string | Buffer, read: Read][] = [
  ['an event', 'text/event-stream', 'x'.repeat(MEBIBYTE), ({ client }) => client.sync.pokes({})],
  ['a reply', 'text/event-stream', WORDS, ({ client }) => client.coach.reply(conversation)],
  [
    'an utterance',
    'audio/l16;rate=24000',
    Buffer.alloc(MEBIBYTE),
    (connection) => connection.synthesise({ text: 'Hello.', voice: VOICE }, new AbortController().signal),
  ],
];

it.each(STREAMS)('stops reading %s without an end', async (_name, type, chunk, read) => {
  let sentBytes = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': type });
    const endless = function* () {
      for (; sentBytes < SENT_MIB * MEBIBYTE && !response.destroyed; sentBytes += chunk.length) yield chunk;
    };
    Readable.from(endless()).pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = connectToServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => null);
  onTestFinished(() => {
    connection.cancelAll();
    server.closeAllConnections();
    server.close();
  });
  const stream = Readable.from(await read(connection)).resume();
  await expect(finished(stream)).rejects.toThrow(/size limit/);
  expect(sentBytes).toBeLessThan(SENT_MIB * MEBIBYTE);
});
