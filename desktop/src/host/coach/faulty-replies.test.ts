/** Replies of a coach with events that this version does not know, and replies that never end. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ConversationSnapshot, REPLY_PATH } from '@parley/contract';
import { CoachId, PracticeId, SessionId } from '@parley/domain';
import { expect, it, onTestFinished } from 'vitest';
import { connectToServer } from '../server/index.ts';
import { createCoachClient } from './coach-client.ts';

const conversation: ConversationSnapshot = {
  sessionId: SessionId.parse('0190b2f0-0000-7000-8000-000000000001'),
  practiceId: PracticeId.parse('0190b2f0-0000-7000-8000-000000000002'),
  agentId: CoachId.parse('0190b2f0-0000-7000-8000-000000000003'),
  difficulty: 'easy',
  turns: [],
  completed: [],
};
const inLines = (event: object): string => `event: message\ndata: ${JSON.stringify(event)}\n\n`;

async function* readReply(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = connectToServer(url, async () => null);
  onTestFinished(() => {
    connection.cancelAll();
    server.closeAllConnections();
    server.close();
  });
  const coach = createCoachClient({
    connection: () => connection,
    clock: { now: () => new Date() },
    timeZone: () => 'UTC',
    replySilenceMs: 300,
  });
  yield* coach.reply(conversation, new AbortController().signal);
}

it('ignores unknown and malformed events of a reply', async () => {
  const events = [
    { type: 'mood', mood: 'patient' },
    { type: 'words', text: 'Hello.', language: 'en' },
    { type: 'line', line: { text: 5 }, fitted: true },
  ];
  const received: unknown[] = [];
  const reply = readReply((request, response) => {
    expect(request.url).toBe(REPLY_PATH);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map(inLines).join(''));
  });
  for await (const event of reply) received.push(event);
  expect(received).toEqual([{ type: 'words', text: 'Hello.' }]);
});

it.each([
  ['from the beginning', '', 0],
  ['after its first words', inLines({ type: 'words', text: 'Hello.' }), 1],
])('gives up a reply that consists of keep-alives %s', async (_when, start, expected) => {
  let received = 0;
  const reply = readReply((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(start);
    const timer = setInterval(() => response.write(': \n\n'), 20);
    response.once('close', () => clearInterval(timer));
  });
  const read = async () => {
    for await (const event of reply) received += event.type === 'words' ? 1 : 0;
  };
  await expect(read()).rejects.toMatchObject({ code: 'coach.unavailable' });
  expect(received).toBe(expected);
});
