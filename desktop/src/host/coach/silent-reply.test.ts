import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConversationSnapshot } from '@parley/contract';
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
const WORDS = `event: message\ndata: ${JSON.stringify({ type: 'words', text: 'Hello.' })}\n\n`;

/** Reads a reply that begins with `start`, after which the server only keeps the connection alive. */
async function* readReply(start: string) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(start);
    const timer = setInterval(() => response.write(': \n\n'), 20);
    response.once('close', () => clearInterval(timer));
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
    replySilenceMs: 300,
  });
  yield* coach.reply(conversation, new AbortController().signal);
}

it.each([
  ['from the beginning', '', 0],
  ['after its first words', WORDS, 1],
])('gives up a reply that consists of keep-alives %s', async (_when, start, expected) => {
  let received = 0;
  const read = async () => {
    for await (const event of readReply(start)) received += event.type === 'words' ? 1 : 0;
  };
  await expect(read()).rejects.toMatchObject({ code: 'coach.unavailable' });
  expect(received).toBe(expected);
});
