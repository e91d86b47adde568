/** Reports of practices from a real host to a real server. */
import { sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { LATE_DELIVERY, LATE_REPLY } from '../test-kit/test-catalogue.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import { openHost, type OpenHost, startPractice } from '../test-kit/open-host.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

async function aConversation({ ask }: OpenHost) {
  const { sessionId, turns } = await startPractice(ask, 'text');
  const answered = await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
  const [opening] = turns;
  const own = answered.turns.find(({ role }) => role === 'learner');
  if (opening === undefined || own === undefined) throw new Error('nothing was said');
  return { sessionId, coachTurn: opening.turnId, ownTurn: own.turnId, line: opening.text };
}

const waitingIn = ({ dataDir }: OpenHost) =>
  inDatabase(dataDir, (sqlite) => sqlite.prepare('select count(*) from waiting_reports').pluck().get());
const received = (server: TestServer) =>
  server.read(sql`select practice_id, node, line, text from practice_reports order by received_at`);

it('sends a line of the coach with its step, or the practice alone', { timeout: 60_000 }, async () => {
  const server = await startServer({});
  const opened = await openHost({ serverUrl: server.url });
  await opened.host.whenIdle();
  const { sessionId, coachTurn, line } = await aConversation(opened);
  const { reports } = opened.ask;
  expect(await reports.send({ sessionId, turnId: coachTurn, text: ' She asked me twice ' })).toEqual({ state: 'sent' });
  expect(await reports.send({ sessionId, turnId: null, text: 'Too easy' })).toEqual({ state: 'sent' });
  expect(await received(server)).toEqual([
    { practice_id: LATE_DELIVERY, node: expect.stringMatching(/./) as string, line, text: 'She asked me twice' },
    { practice_id: LATE_DELIVERY, node: null, line: null, text: 'Too easy' },
  ]);
  await opened.host.close();
  await server.close();
});

it('keeps a report that cannot be sent, and sends it once when the server is back', { timeout: 60_000 }, async () => {
  const server = await startServer({});
  const opened = await openHost({ serverUrl: server.url });
  await opened.host.whenIdle();
  const { sessionId, coachTurn } = await aConversation(opened);
  await opened.host.whenIdle();
  // The server stores the report, and its answer is lost.
  server.fail = 'drop';
  const report = { sessionId, turnId: coachTurn, text: 'She asked me twice' };
  expect(await opened.ask.reports.send(report)).toEqual({ state: 'waiting' });
  await opened.host.close();
  server.fail = null;
  const later = await openHost({ dataDir: opened.dataDir, serverUrl: server.url });
  await later.host.whenIdle();
  await expect.poll(async () => (await received(server)).length).toBe(1);
  await later.host.whenIdle();
  expect(await received(server)).toMatchObject([{ text: 'She asked me twice' }]);
  await later.host.close();
  await server.close();
});

it('sends the start of a long line, without the name of the learner', { timeout: 60_000 }, async () => {
  const server = await startServer({});
  const opened = await openHost({ serverUrl: server.url });
  await opened.host.whenIdle();
  await opened.ask.settings.updateProfile({ firstName: 'Ada' });
  const { sessionId, coachTurn } = await aConversation(opened);
  const said = `Good morning, Ada! ${'x'.repeat(600)}`;
  inDatabase(opened.dataDir, (sqlite) =>
    sqlite.prepare('update ai_conversations set content = ? where conversation_id = ?').run(said, coachTurn),
  );
  const report = { sessionId, turnId: coachTurn, text: 'Too long' };
  expect(await opened.ask.reports.send(report)).toEqual({ state: 'sent' });
  const [{ line = '' } = {}] = (await received(server)) as { line?: string }[];
  expect(line).toMatch(/^Good morning, \[name\]! x+$/);
  expect(line).toHaveLength(500);
  await opened.host.close();
  await server.close();
});

it('sends a line without characters that a database cannot store', { timeout: 60_000 }, async () => {
  const server = await startServer({});
  const opened = await openHost({ serverUrl: server.url });
  await opened.host.whenIdle();
  const { sessionId, coachTurn } = await aConversation(opened);
  const lines = ['Good\0 morning\ud83d', '\0', ''];
  for (const content of lines) {
    inDatabase(opened.dataDir, (sqlite) =>
      sqlite.prepare('update ai_conversations set content = ? where conversation_id = ?').run(content, coachTurn),
    );
    const report = { sessionId, turnId: coachTurn, text: 'Odd' };
    expect(await opened.ask.reports.send(report)).toEqual({ state: 'sent' });
  }
  expect(await received(server)).toMatchObject([{ line: 'Good morning�' }, { line: null }, { line: null }]);
  await opened.host.close();
  await server.close();
});

it(
  'sends reports that an older version stored uncleaned, and drops those that no server accepts',
  { timeout: 60_000 },
  async () => {
    const server = await startServer({});
    const opened = await openHost({ serverUrl: server.url });
    await opened.host.whenIdle();
    const { sessionId } = await aConversation(opened);
    const stored = { at: '2026-11-18T09:00:00.000Z', practiceId: LATE_DELIVERY, node: null };
    const odd = [
      { line: 'Good\0 morning\ud83d', text: 'First\0' },
      { line: '', text: 'Second' },
      { line: null, text: '\0' },
    ];
    inDatabase(opened.dataDir, (sqlite) => {
      const userId = sqlite.prepare('select user_id from sync_state').pluck().get();
      const insert = sqlite.prepare('insert into waiting_reports (id, user_id, report) values (?, ?, ?)');
      for (const report of odd) {
        const id = uuidv7();
        insert.run(id, userId, JSON.stringify({ ...stored, ...report, id }));
      }
    });
    const last = { sessionId, turnId: null, text: 'Third' };
    expect(await opened.ask.reports.send(last)).toEqual({ state: 'sent' });
    expect(await received(server)).toMatchObject([
      { line: 'Good morning�', text: 'First' },
      { line: null, text: 'Second' },
      { line: null, text: 'Third' },
    ]);
    await opened.host.close();
    expect(waitingIn(opened)).toBe(0);
    await server.close();
  },
);

it('says that the school no longer has the practice, and drops the report', { timeout: 60_000 }, async () => {
  const server = await startServer({});
  const opened = await openHost({ serverUrl: server.url });
  await opened.host.whenIdle();
  const { sessionId } = await aConversation(opened);
  await opened.host.whenIdle();
  // The session refers to the practice.
  await server.execute(sql`set session_replication_role = replica`);
  await server.execute(sql`delete from practices where practice_id = ${LATE_DELIVERY}`);
  await server.execute(sql`set session_replication_role = origin`);
  const report = { sessionId, turnId: null, text: 'Too easy' };
  expect(await opened.ask.reports.send(report)).toEqual({ state: 'practice_gone' });
  await opened.host.close();
  expect(waitingIn(opened)).toBe(0);
  await server.close();
});

it('keeps a report that an older server does not know, and sends the next one', { timeout: 60_000 }, async () => {
  const server = await startServer({});
  const opened = await openHost({ serverUrl: server.url });
  await opened.host.whenIdle();
  const { sessionId } = await aConversation(opened);
  await opened.host.whenIdle();
  const send = (text: string) => opened.ask.reports.send({ sessionId, turnId: null, text });
  // An older server rejects the address of the request, and its error names no field.
  server.failOn = (path) => (path === '/v1/practice-reports' ? 'request.invalid' : null);
  expect(await send('First')).toEqual({ state: 'delayed' });
  let failures = 0;
  server.failOn = (path) => (path === '/v1/practice-reports' && (failures += 1) === 1 ? 'internal' : null);
  expect(await send('Second')).toEqual({ state: 'sent' });
  expect(await received(server)).toMatchObject([{ text: 'Second' }]);
  server.failOn = null;
  expect(await send('Third')).toEqual({ state: 'sent' });
  expect(await received(server)).toMatchObject([{ text: 'Second' }, { text: 'First' }, { text: 'Third' }]);
  await opened.host.close();
  await server.close();
});

it('says that a report is sent later when too many were sent today', { timeout: 60_000 }, async () => {
  const server = await startServer({});
  const opened = await openHost({ serverUrl: server.url });
  await opened.host.whenIdle();
  const { sessionId } = await aConversation(opened);
  const send = () => opened.ask.reports.send({ sessionId, turnId: null, text: 'Too easy' });
  for (let count = 0; count < 10; count += 1) expect(await send()).toEqual({ state: 'sent' });
  expect(await send()).toEqual({ state: 'delayed' });
  await opened.host.close();
  expect(waitingIn(opened)).toBe(1);
  await server.close();
});

it('never sends the learner’s words', async () => {
  const opened = await openHost();
  const { sessionId, ownTurn } = await aConversation(opened);
  await expect(opened.ask.reports.send({ sessionId, turnId: ownTurn, text: 'Wrong' })).rejects.toMatchObject({
    code: 'turn.not_found',
  });
  await expect(opened.ask.reports.send({ sessionId, turnId: null, text: 'x'.repeat(501) })).rejects.toMatchObject({
    code: 'request.invalid',
  });
  await opened.host.close();
});
