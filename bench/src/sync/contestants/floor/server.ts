/** The floor's server: rows in one SQLite table, sent and taken as NDJSON, changes told over an open response. */
import Database from 'better-sqlite3';
import Fastify, { type FastifyReply } from 'fastify';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { serveServer } from '../../serve.ts';
import { linesOf, openRows, storeRows } from './rows-table.ts';

interface Device {
  device: string;
}

const BODY_LIMIT_BYTES = 64 * 1024 * 1024;
const ROWS_A_CHUNK = 500;

const app = Fastify({ bodyLimit: BODY_LIMIT_BYTES, forceCloseConnections: true });
/** By the device's own name: a device is not told what it has just said. */
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
    if (chunk.length < ROWS_A_CHUNK) continue;
    yield `${chunk.join('\n')}\n`;
    chunk = [];
  }
  if (chunk.length > 0) yield `${chunk.join('\n')}\n`;
}

app.addContentTypeParser('application/x-ndjson', { parseAs: 'string' }, (_request, body, done) => done(null, body));
app.get('/rows', (_request, reply) => reply.type('application/x-ndjson').send(Readable.from(allRows())));
app.post<{ Body: string; Querystring: Device }>('/rows', (request, reply) => {
  storeRows(table(), linesOf(request.body));
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

serveServer({
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
