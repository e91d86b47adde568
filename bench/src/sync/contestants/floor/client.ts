/** The baseline device: one request to pull, one to push, and one open response for changes. */
import type Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { PracticeRow, RowDigest } from '../../workload-rows.ts';
import { serveContestantClient } from '../../serve-contestant.ts';
import { createChangeWatcher } from '../../change-watcher.ts';
import { splitLines, openRows, storeRows } from './rows-table.ts';

const changeWatcher = createChangeWatcher((id) => summaryOf(id));
const DEVICE = randomUUID();
let sqlite: Database.Database;
let url = '';
let changes: IncomingMessage | null = null;

const summaryOf = (id: string): string | undefined =>
  sqlite.prepare<[string], string>('SELECT summary FROM rows WHERE id = ?').pluck().get(id);

async function getResponse(path: string): Promise<IncomingMessage> {
  const [response] = (await once(get(`${url}${path}`), 'response')) as [IncomingMessage];
  return response;
}

async function post(body: string): Promise<void> {
  const sent = request(`${url}/rows?device=${DEVICE}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  if (response.statusCode !== 204) throw new Error(`the baseline server responded with ${response.statusCode}`);
}

async function listen(): Promise<void> {
  changes = await getResponse(`/changes?device=${DEVICE}`);
  createInterface({ input: changes }).on('line', (line) => {
    storeRows(sqlite, [line]);
    changeWatcher.check();
  });
}

/** A session, its turns and the attempts at their words are rows of their own, as in the product. */
function toRows({ turns = [], ...session }: PracticeRow): object[] {
  return [
    session,
    ...turns.flatMap(({ attempts, ...turn }) => [
      { ...turn, id: turn.conversationId, sessionId: session.id, summary: '' },
      ...attempts.map((attempt) => ({ ...attempt, id: randomUUID(), sessionId: session.id, summary: '' })),
    ]),
  ];
}

const readRow = (id: string): PracticeRow =>
  JSON.parse(
    sqlite.prepare<[string], string>('SELECT body FROM rows WHERE id = ?').pluck().get(id) ?? '{}',
  ) as PracticeRow;

serveContestantClient({
  start: async (place) => {
    url = place.url;
    sqlite = openRows(join(place.dir, 'rows.sqlite'));
    await listen();
  },
  pullAll: async () => storeRows(sqlite, splitLines(await text(await getResponse('/rows')))),
  push: async (rows) => {
    const lines = rows.flatMap(toRows).map((row) => JSON.stringify(row));
    storeRows(sqlite, lines);
    await post(`${lines.join('\n')}\n`);
  },
  change: async ({ id, summary }) => {
    const line = JSON.stringify({ ...readRow(id), summary });
    storeRows(sqlite, [line]);
    await post(`${line}\n`);
  },
  awaitChange: (row) => changeWatcher.waitFor(row),
  read: async () => sqlite.prepare<[], RowDigest>("SELECT id, summary FROM rows WHERE summary <> ''").all(),
  stop: async () => {
    changes?.destroy();
    sqlite.close();
  },
});
