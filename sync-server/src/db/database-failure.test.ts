import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from './client.ts';
import { describeDatabaseFailure, isDatabaseInTrouble } from './database-failure.ts';

/** PostgreSQL asks for a password with SCRAM-SHA-256, and goes on with the exchange. */
const SCRAM = ['52000000170000000a534352414d2d5348412d3235360000', '52000000090000000b78'];
/** PostgreSQL refuses a request for TLS. */
const NO_TLS = ['4e'];

it.each([
  ['a missing password', SCRAM, '', 'The database asks for a password: add it to DATABASE_URL.'],
  [
    'missing TLS',
    NO_TLS,
    '?sslmode=verify-full',
    'The database does not offer TLS: switch it on there, or remove sslmode from DATABASE_URL.',
  ],
])('explains %s', async (_what, answers, parameters, reason) => {
  const server = createServer((socket) => {
    const rest = answers.values();
    socket.on('data', () => socket.write(Buffer.from(rest.next().value ?? '', 'hex')));
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = new pg.Client({ connectionString: `postgres://a@127.0.0.1:${port}/b${parameters}` });
  client.on('error', () => undefined);
  const error: unknown = await client.connect().catch((thrown: unknown) => thrown);
  expect(describeDatabaseFailure(error)).toEqual({ reason, isTransient: false });
});

it('explains a database that accepts connections and does not answer', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const location = { type: 'postgres', url: `postgres://a@127.0.0.1:${port}/b` } as const;
  const error: unknown = await openDatabase(location, { migrates: false, connectTimeoutMs: 100 }).catch(
    (thrown: unknown) => thrown,
  );
  expect(describeDatabaseFailure(error)).toEqual({ reason: 'The database does not answer.', isTransient: true });
});

it('takes a database that is read-only, as after a failover, for one in trouble', async () => {
  const refused = Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' });
  expect(isDatabaseInTrouble(new Error('Failed query', { cause: refused }))).toBe(true);
});

it.each([
  ['refuses connections', false],
  ['ends a connection before it answers', true],
])('takes a database that %s for one in trouble', async (_what, accepts) => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (accepts) onTestFinished(() => void server.close());
  else server.close();
  const pool = new pg.Pool({ connectionString: `postgres://a@127.0.0.1:${port}/b` });
  onTestFinished(() => pool.end());
  const error: unknown = await drizzle(pool)
    .execute(sql`select 1`)
    .catch((thrown: unknown) => thrown);
  expect(isDatabaseInTrouble(error)).toBe(true);
});
