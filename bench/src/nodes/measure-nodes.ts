/**
 * Runs two and then four server nodes on one PostgreSQL under load, and measures how fast they answer, including in
 * calls, whether periodic jobs run once and limits are shared, and whether killing a node loses an acknowledged turn or
 * a call. Load generator, nodes, database and the coach's fake share the cores of the machine.
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
import { type CallFigures, type CutCallFigures, summarizeCalls, summarizeCutCalls } from './call-figures.ts';
import { runCalls } from './run-calls.ts';
import { type RealtimeCoach, startRealtimeCoach } from './realtime-coach.ts';

export interface NodesFigures {
  /** By number of nodes; pushes, streams and calls while every learner who pushes also listens for pokes. */
  load: { nodes: number; push: LoadFigures; stream: LoadFigures; calls: CallFigures }[];
  /** The maximum number of runs of a periodic job within one minute, and the number of minutes observed. */
  jobRunsAMinute: { most: number; minutes: number };
  /** Counts calls to a route with a strict limit, sent to four nodes in turn. */
  limit: { allowed: number; sent: number };
  /**
   * `found` counts acknowledged turns, and `stored` all turns from that time: any more would be duplicates or
   * inventions.
   */
  killed: {
    acknowledged: number;
    found: number;
    stored: number;
    repeated: number;
    /** The number of leases before the node was killed, and after all calls had ended. */
    calls: CallFigures & CutCallFigures & { leases: number; leasesLeft: number };
  };
}

const LEARNERS = 60;
const SESSIONS_EACH = 20;
const CALLERS = 8;
const LOAD = { perSecond: 40, seconds: 5 };
const LIMITED_CALLS = 80;
/** Long enough for a few turns of each call. */
const KILL_AFTER_MS = 6_000;
const GO_ON_MS = 6_000;
/** A lease begins and ends with its call. */
const LEASES_SETTLE_WITHIN_MS = 30_000;
/** Runs every minute, even if nothing has to be done. */
const MINUTELY_JOB = 'content.publish-scheduled';
const MINUTE_MS = 60_000;

const Counts = z.array(z.object({ count: z.coerce.number() }));

export async function measureNodes(): Promise<NodesFigures> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-nodes-'));
  await chmod(dir, 0o755);
  const postgres = await startPostgres(dir);
  const sql = new pg.Client({ connectionString: postgres.url });
  const coach = await startRealtimeCoach();
  const nodes: ParleyServer[] = [];
  const environment = {
    DATABASE_URL: postgres.url,
    DATA_DIR: join(dir, 'server'),
    SECRET: randomBytes(32).toString('base64'),
    ...coach.environment,
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
    const callers = await cloneLearners(sql, first, { count: CALLERS, rowsEach: SESSIONS_EACH });
    await grantMinutes(sql, callers);
    const load: NodesFigures['load'] = [];
    await startNodes(2);
    load.push(await measureLoaded(urls(), learners, callers));
    await startNodes(4);
    const fourSince = new Date();
    load.push(await measureLoaded(urls(), learners, callers));
    const limit = await countAllowedCalls(urls());
    const jobRunsAMinute = await countJobRuns(sql, fourSince);
    const speakers = await cloneLearners(sql, first, { count: LEARNERS, rowsEach: SESSIONS_EACH });
    const killed = await killANode(nodes, { urls: urls(), learners: speakers, callers, coach, sql });
    return { load, jobRunsAMinute, limit, killed };
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await sql.end().catch(() => undefined);
    await postgres.stop();
    await coach.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** A plan that includes minutes for calls, unlike the free plan. */
async function grantMinutes(sql: pg.Client, learners: readonly LoadDevice[]): Promise<void> {
  await sql.query(
    `insert into subscriptions (subscription_id, user_id, plan_type, quota, remaining_time, cancel_at_period_end, status,
       current_period_start, created_at, updated_at, sync_version)
     select gen_random_uuid(), user_id, 'PRO', 0, 0, false, 'active', now(), now(), now(), $2::int from unnest($1::uuid[]) user_id`,
    [learners.map(({ userId }) => userId), SESSIONS_EACH + 1],
  );
}

async function measureLoaded(
  urls: readonly string[],
  devices: readonly LoadDevice[],
  callers: readonly LoadDevice[],
): Promise<NodesFigures['load'][number]> {
  const listeners = await Promise.all(
    urls.map((url, node) =>
      openPokeListeners(
        url,
        devices.filter((_device, index) => index % urls.length === node),
      ),
    ),
  );
  const stopping = new AbortController();
  const calling = runCalls(urls, callers, stopping.signal);
  await measureLoad({ urls, devices, ...LOAD, seconds: 1, kind: 'push' });
  const [push, stream] = await Promise.all([
    measureLoad({ urls, devices, ...LOAD, kind: 'push' }),
    measureLoad({ urls, devices, ...LOAD, kind: 'pull' }),
  ]);
  stopping.abort();
  const calls = await calling;
  for (const each of listeners) each.close();
  return { nodes: urls.length, push, stream, calls: summarizeCalls(calls) };
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

interface Running {
  urls: readonly string[];
  learners: readonly LoadDevice[];
  callers: readonly LoadDevice[];
  coach: RealtimeCoach;
  sql: pg.Client;
}

async function killANode(
  nodes: ParleyServer[],
  { urls, learners, callers, coach, sql }: Running,
): Promise<NodesFigures['killed']> {
  const count = async (table: string, where: string, ids: readonly string[]): Promise<number> => {
    const { rows } = await sql.query(`select count(*) from ${table} where ${where} = any($1::uuid[])`, [ids]);
    return Counts.parse(rows)[0]?.count ?? 0;
  };
  const idsOf = (devices: readonly LoadDevice[]): string[] => devices.map(({ userId }) => userId);
  /** Waits until there are this many, and returns how many there are. */
  const settleLeases = async (expected: number): Promise<number> => {
    for (const untilMs = performance.now() + LEASES_SETTLE_WITHIN_MS; ; await wait(100)) {
      const leases = await count('ai_leases', 'user_id', idsOf(callers));
      if (leases === expected || performance.now() > untilMs) return leases;
    }
  };
  const stopping = new AbortController();
  const pushing = pushTurns(urls, learners, stopping.signal);
  const calling = runCalls(urls, callers, stopping.signal);
  const leases = await settleLeases(callers.length);
  await wait(KILL_AFTER_MS);
  const [victim] = nodes.splice(0, 1);
  if (victim !== undefined) process.kill(victim.pid, 'SIGKILL');
  await wait(GO_ON_MS);
  stopping.abort();
  const { turnIds, repeated } = await pushing;
  const calls = await calling;
  const killedUrl = urls[0] ?? '';
  return {
    acknowledged: turnIds.length,
    found: await count('ai_conversations', 'conversation_id', turnIds),
    stored: await count('ai_conversations', 'user_id', idsOf(learners)),
    repeated,
    calls: {
      ...summarizeCalls(calls, killedUrl),
      ...summarizeCutCalls(calls, { killedUrl, coach }),
      leases,
      leasesLeft: await settleLeases(0),
    },
  };
}
