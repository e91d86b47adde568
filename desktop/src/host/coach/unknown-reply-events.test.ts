import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ConversationSnapshot, REPLY_PATH } from '@parley/contract';
import { CoachId, PracticeId, SessionId } from '@parley/domain';
import { expect, it, onTestFinished } from 'vitest';
import { connectToServer } from '../server/index.ts';
import { createCoachClient } from './coach-client.ts';

const EVENTS = [
  { type: 'mood', mood: 'patient' },
  { type: 'words', text: 'Hello.', language: 'en' },
  { type: 'line', line: { text: 5 }, fitted: true },
];
const conversation: ConversationSnapshot = {
  sessionId: SessionId.parse('0190b2f0-0000-7000-8000-000000000001'),
  practiceId: PracticeId.parse('0190b2f0-0000-7000-8000-000000000002'),
  agentId: CoachId.parse('0190b2f0-0000-7000-8000-000000000003'),
  difficulty: 'easy',
  turns: [],
  completed: [],
};

it('ignores unknown and malformed events of a reply', async () => {
  const server = createServer((request, response) => {
    expect(request.url).toBe(REPLY_PATH);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(EVENTS.map((event) => `event: message\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  }).listen(0, '127.0.0.1');
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
  });
  const received: unknown[] = [];
  for await (const event of coach.reply(conversation, new AbortController().signal)) received.push(event);
  expect(received).toEqual([{ type: 'words', text: 'Hello.' }]);
});
