/** The baseline server: rows in one SQLite table, sent as NDJSON, with changes pushed over an open response. */
import Database from 'better-sqlite3';
import Fastify, { type FastifyReply } from 'fastify';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { serveContestantServer } from '../../serve-contestant.ts';
import { splitLines, openRows, storeRows } from './rows-table.ts';

interface Device {
  device: string;
}

const BODY_LIMIT_BYTES = 64 * 1024 * 1024;
const ROWS_PER_CHUNK = 500;

const app = Fastify({ bodyLimit: BODY_LIMIT_BYTES, forceCloseConnections: true });
/** Keyed by device id, because a device does not receive its own changes. */
const listeners = new Map<string, FastifyReply>();
let sqlite: Database.Database | null = null;

const table = (): Database.Database => {
  if (sqlite === null) throw new Error('not started');
  return sqlite;
};

function* allRows(): Generator<string> {
  const bodies = table().prepare<[], string>('SELECT body FROM rows').pluck().iterate();
  let chunk: string[] = [];
  for (const body of bodies) {
    chunk.push(body);
    if (chunk.length < ROWS_PER_CHUNK) continue;
    yield `${chunk.join('\n')}\n`;
    chunk = [];
  }
  if (chunk.length > 0) yield `${chunk.join('\n')}\n`;
}

app.addContentTypeParser('application/x-ndjson', { parseAs: 'string' }, (_request, body, done) => done(null, body));
app.get('/rows', (_request, reply) => reply.type('application/x-ndjson').send(Readable.from(allRows())));
app.post<{ Body: string; Querystring: Device }>('/rows', (request, reply) => {
  storeRows(table(), splitLines(request.body));
  for (const [device, listener] of listeners) if (device !== request.query.device) listener.raw.write(request.body);
  return reply.status(204).send();
});
app.get<{ Querystring: Device }>('/changes', (request, reply) => {
  const { device } = request.query;
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders();
  listeners.set(device, reply);
  request.raw.on('close', () => listeners.delete(device));
});

serveContestantServer({
  start: async (dir) => {
    sqlite = openRows(join(dir, 'rows.sqlite'));
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    return Number(new URL(address).port);
  },
  stop: async () => {
    await app.close();
    sqlite?.close();
  },
});
