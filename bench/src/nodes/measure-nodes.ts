/**
 * Runs two and then four nodes of the server on one PostgreSQL under load: how fast they answer, whether periodic jobs run once and limits
 * are shared, and whether killing a node loses an acknowledged turn. Load, nodes and database share the cores of the machine.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { type LoadFigures, measureLoad } from '../load/measure-load.ts';
import { openPokeListeners } from '../load/poke-listeners.ts';
import { cloneLearners, createFirstLearner, type LoadDevice } from '../load/seed-learners.ts';
import { type ParleyServer, startParleyServer } from '../processes/start-parley-server.ts';
import { startPostgres } from '../processes/start-postgres.ts';
import { pushTurns } from './acknowledged-turns.ts';

export interface NodesFigures {
  /** By number of nodes; pushes and streams while every learner also listens for pokes. */
  load: { nodes: number; push: LoadFigures; stream: LoadFigures }[];
  /** How often a periodic job ran within one minute, at most, and how many minutes were looked at. */
  jobRunsAMinute: { most: number; minutes: number };
  /** Of calls at a route with a strict limit, sent to four nodes in turn. */
  limit: { allowed: number; sent: number };
  /** `found` of the acknowledged turns, and all `stored` in that time: more would be doubled or invented. */
  killed: { acknowledged: number; found: number; stored: number; repeated: number };
}

const LEARNERS = 60;
const SESSIONS_EACH = 20;
const LOAD = { perSecond: 40, seconds: 5 };
const LIMITED_CALLS = 80;
const KILL_AFTER_MS = 3_000;
const GO_ON_MS = 3_000;
/** Runs every minute, also where nothing is to be done. */
const MINUTELY_JOB = 'content.publish-scheduled';
const MINUTE_MS = 60_000;

const Counts = z.array(z.object({ count: z.coerce.number() }));

export async function measureNodes(): Promise<NodesFigures> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-nodes-'));
  await chmod(dir, 0o755);
  const postgres = await startPostgres(dir);
  const sql = new pg.Client({ connectionString: postgres.url });
  const nodes: ParleyServer[] = [];
  const environment = {
    DATABASE_URL: postgres.url,
    DATA_DIR: join(dir, 'server'),
    SECRET: randomBytes(32).toString('base64'),
  };
  const urls = (): string[] => nodes.map(({ port }) => `http://127.0.0.1:${port}`);
  const startNodes = async (count: number): Promise<void> => {
    while (nodes.length < count) nodes.push(await startParleyServer(environment));
  };
  try {
    await startNodes(1);
    await sql.connect();
    const first = await createFirstLearner(urls()[0] ?? '', sql);
    const learners = await cloneLearners(sql, first, { count: LEARNERS, rowsEach: SESSIONS_EACH });
    const load: NodesFigures['load'] = [];
    await startNodes(2);
    load.push(await measureLoaded(urls(), learners));
    await startNodes(4);
    const fourSince = new Date();
    load.push(await measureLoaded(urls(), learners));
    const limit = await countAllowedCalls(urls());
    const jobRunsAMinute = await countJobRuns(sql, fourSince);
    const speakers = await cloneLearners(sql, first, { count: LEARNERS, rowsEach: SESSIONS_EACH });
    const killed = await killANode(nodes, { urls: urls(), learners: speakers, sql });
    return { load, jobRunsAMinute, limit, killed };
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await sql.end().catch(() => undefined);
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function measureLoaded(
  urls: readonly string[],
  devices: readonly LoadDevice[],
): Promise<NodesFigures['load'][number]> {
  const listeners = await Promise.all(
    urls.map((url, node) =>
      openPokeListeners(
        url,
        devices.filter((_device, index) => index % urls.length === node),
      ),
    ),
  );
  await measureLoad({ urls, devices, ...LOAD, seconds: 1, kind: 'push' });
  const [push, stream] = await Promise.all([
    measureLoad({ urls, devices, ...LOAD, kind: 'push' }),
    measureLoad({ urls, devices, ...LOAD, kind: 'pull' }),
  ]);
  for (const each of listeners) each.close();
  return { nodes: urls.length, push, stream };
}

/** A wrong code costs nothing but an attempt. */
async function countAllowedCalls(urls: readonly string[]): Promise<NodesFigures['limit']> {
  const join = { deviceId: crypto.randomUUID(), name: 'Load', platform: 'other', code: 'AAAA-AAAA' };
  const statuses = await Promise.all(
    Array.from({ length: LIMITED_CALLS }, async (_, call) => {
      const answer = await fetch(`${urls[call % urls.length]}/v1/devices/join`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(join),
      });
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  return { allowed: statuses.filter((status) => status !== 429).length, sent: LIMITED_CALLS };
}

/** Waits until two whole minutes have passed with all nodes. */
async function countJobRuns(sql: pg.Client, since: Date): Promise<NodesFigures['jobRunsAMinute']> {
  const from = new Date(Math.ceil(since.getTime() / MINUTE_MS) * MINUTE_MS);
  const until = new Date(from.getTime() + 2 * MINUTE_MS);
  await wait(Math.max(0, until.getTime() - Date.now()));
  const { rows } = await sql.query(
    `select count(*) from pgboss.job where name = $1 and created_on >= $2 and created_on < $3
     group by date_trunc('minute', created_on)`,
    [MINUTELY_JOB, from, until],
  );
  const counts = Counts.parse(rows).map(({ count }) => count);
  return { most: Math.max(0, ...counts), minutes: counts.length };
}

async function killANode(
  nodes: ParleyServer[],
  { urls, learners, sql }: { urls: readonly string[]; learners: readonly LoadDevice[]; sql: pg.Client },
): Promise<NodesFigures['killed']> {
  const stopping = new AbortController();
  const pushing = pushTurns(urls, learners, stopping.signal);
  await wait(KILL_AFTER_MS);
  const [victim] = nodes.splice(0, 1);
  if (victim !== undefined) process.kill(victim.pid, 'SIGKILL');
  await wait(GO_ON_MS);
  stopping.abort();
  const { turnIds, repeated } = await pushing;
  const count = async (where: string, ids: readonly string[]): Promise<number> => {
    const { rows } = await sql.query(`select count(*) from ai_conversations where ${where} = any($1::uuid[])`, [ids]);
    return Counts.parse(rows)[0]?.count ?? 0;
  };
  return {
    acknowledged: turnIds.length,
    found: await count('conversation_id', turnIds),
    stored: await count(
      'user_id',
      learners.map(({ userId }) => userId),
    ),
    repeated,
  };
}
