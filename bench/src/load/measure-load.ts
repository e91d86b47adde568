/** Sends pushes and pulls at a fixed rate even if the server falls behind (open loop), so that queueing shows in the latency. */
import { SYNC_PROTOCOL } from '@parley/contract';
import { formatHybridTime } from '@parley/domain';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { LoadDevice } from './seed-learners.ts';
import { type NewRow, nextSpokenAnswer } from './spoken-answers.ts';

export interface Load {
  /** Server nodes, used round robin. */
  urls: readonly string[];
  devices: readonly LoadDevice[];
  /** `push` sends a typed turn, `answer` a spoken one with its scores. */
  kind: 'push' | 'answer' | 'pull';
  perSecond: number;
  seconds: number;
}

export interface LoadFigures {
  p50Ms: number;
  p99Ms: number;
  /** Responses without status 200. */
  failed: number;
}

/** Keeps connections open as a load balancer does. */
const agent = new Agent({ keepAlive: true, maxSockets: 512 });
/** The run stops when it falls this far behind its rate, because its figures would no longer be valid. */
const MAX_LAG_MS = 3_000;

export async function measureLoad(load: Load): Promise<LoadFigures> {
  const count = load.perSecond * load.seconds;
  const times: number[] = [];
  let failed = 0;
  const startMs = performance.now();
  const requests: Promise<void>[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const dueMs = startMs + (sent * 1000) / load.perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await wait(waitMs);
    const device = load.devices[sent % load.devices.length];
    const url = load.urls[sent % load.urls.length];
    if (device === undefined || url === undefined) throw new Error('a load needs devices and a server');
    // A device sends its next push after the response to the last one.
    const previous = device.pending ?? Promise.resolve();
    device.pending = previous
      .then(() => issueRequest(url, device, load.kind))
      .then((isGood) => {
        // The latency counts from the due time, so that queueing inside this process is included.
        times.push(performance.now() - dueMs);
        if (!isGood) failed += 1;
      });
    requests.push(device.pending);
    if (performance.now() - dueMs > MAX_LAG_MS) break;
  }
  await Promise.all(requests);
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.ceil(share * times.length) - 1] ?? Number.POSITIVE_INFINITY;
  return { p50Ms: at(0.5), p99Ms: times.length < count ? Number.POSITIVE_INFINITY : at(0.99), failed };
}

const issueRequest = (url: string, device: LoadDevice, kind: Load['kind']): Promise<boolean> =>
  kind !== 'pull'
    ? send(`${url}/v1/sync/push`, device, nextPush(device, kind))
    : send(`${url}/v1/sync/stream`, device, {
        protocol: SYNC_PROTOCOL,
        deviceId: device.deviceId,
        epoch: null,
        // The cursors of a device after a poke: one row is new. Each push has raised the version by one.
        cursors: { catalogue: device.catalogueVersion, user: device.seenVersion + device.pushes, older: null },
        answeredSeq: 0,
      });

/** Turns per session; then the device starts a new one. */
const TURNS_PER_SESSION = 40;

/** Builds a push that contains the next turn, or a new session. */
function nextPush(device: LoadDevice, kind: 'push' | 'answer'): unknown {
  const { deviceId } = device;
  const now = new Date().toISOString();
  device.pushes += 1;
  const rows =
    device.pushes % TURNS_PER_SESSION === 0
      ? [nextSession(device)]
      : kind === 'push'
        ? [nextTurn(device, now)]
        : nextSpokenAnswer(device, now);
  const mutations = rows.map((row) => {
    device.lastSeq += 1;
    const at = formatHybridTime({ ms: Date.now(), counter: device.lastSeq % 65_536, deviceId });
    return { ...row, id: randomUUID(), deviceSeq: device.lastSeq, op: 'upsert', at, base: 0 };
  });
  return { protocol: SYNC_PROTOCOL, deviceId, epoch: null, now, mutations };
}

function nextSession(device: LoadDevice): NewRow {
  device.sessionId = randomUUID();
  device.lastTurnId = null;
  return { table: 'practice_history', rowId: device.sessionId, fields: device.session };
}

function nextTurn(device: LoadDevice, now: string): NewRow {
  const { userId, interactionId, sessionId, lastTurnId: previousTurnId, lastSeq } = device;
  const turnId = randomUUID();
  device.lastTurnId = turnId;
  const fields = {
    createdAt: now,
    userId,
    interactionId,
    sessionId,
    previousTurnId,
    content: `We are two days late because the supplier moved, and this is the ${lastSeq}th time that I say so.`,
    role: 'learner',
    saidAt: now,
    mode: 'typed',
    node: 'opening',
  };
  return { table: 'ai_conversations', rowId: turnId, fields };
}

function send(url: string, { token }: LoadDevice, body: unknown): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request(url, {
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    sent.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode === 200));
      answer.on('error', () => resolve(false));
    });
    sent.on('error', () => resolve(false));
    sent.end(JSON.stringify(body));
  });
}

export interface Limit {
  p99Ms: number;
}

/** Returns the highest tried rate that stays within the limit with its figures, or null when none does. */
export async function findHighestRate(
  load: Omit<Load, 'perSecond'>,
  limit: Limit,
): Promise<{ perSecond: number; figures: LoadFigures } | null> {
  let best: { perSecond: number; figures: LoadFigures } | null = null;
  for (const perSecond of RATES) {
    // A database checkpoint may disturb one attempt, so a rate that fails is tried twice.
    const measureWithinLimit = async (): Promise<LoadFigures | null> => {
      const figures = await measureLoad({ ...load, perSecond });
      return figures.failed > 0 || figures.p99Ms > limit.p99Ms ? null : figures;
    };
    const figures = (await measureWithinLimit()) ?? (await measureWithinLimit());
    if (figures === null) break;
    best = { perSecond, figures };
  }
  return best;
}

const RATES: readonly number[] = [25, 50, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1_000, 1_300, 1_500, 2_000];
