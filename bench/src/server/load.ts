/** Devices that push and pull at a given rate, whether or not the server keeps up: who waits for answers measures too little. */
import { SYNC_PROTOCOL } from '@parley/contract';
import { formatHybridTime } from '@parley/domain';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { LoadDevice } from './seed.ts';

export interface Load {
  /** Nodes, used in turn. */
  urls: readonly string[];
  devices: readonly LoadDevice[];
  kind: 'push' | 'pull';
  perSecond: number;
  seconds: number;
}

export interface LoadFigures {
  p50Ms: number;
  p99Ms: number;
  /** Answers that were no success. */
  failed: number;
}

/** Connections that a balancer would keep open to a node. */
const agent = new Agent({ keepAlive: true, maxSockets: 512 });
/** How far behind its rate the load itself may fall before its figures say nothing. */
const SETTLE_MS = 3_000;

export async function measureLoad(load: Load): Promise<LoadFigures> {
  const count = load.perSecond * load.seconds;
  const times: number[] = [];
  let failed = 0;
  const startMs = performance.now();
  const calls: Promise<void>[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const dueMs = startMs + (sent * 1000) / load.perSecond;
    const early = dueMs - performance.now();
    if (early > 1) await wait(early);
    const device = load.devices[sent % load.devices.length];
    const url = load.urls[sent % load.urls.length];
    if (device === undefined || url === undefined) throw new Error('a load needs devices and a server');
    calls.push(
      call(url, device, load.kind).then((isGood) => {
        // From when it was due: a queue in here is a queue all the same.
        times.push(performance.now() - dueMs);
        if (!isGood) failed += 1;
      }),
    );
    if (performance.now() - dueMs > SETTLE_MS) break;
  }
  await Promise.all(calls);
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.ceil(share * times.length) - 1] ?? Number.POSITIVE_INFINITY;
  return { p50Ms: at(0.5), p99Ms: times.length < count ? Number.POSITIVE_INFINITY : at(0.99), failed };
}

const call = (url: string, device: LoadDevice, kind: Load['kind']): Promise<boolean> =>
  kind === 'push'
    ? send(`${url}/v1/sync/push`, device, aChange(device))
    : send(`${url}/v1/sync/stream`, device, {
        protocol: SYNC_PROTOCOL,
        deviceId: device.deviceId,
        epoch: null,
        // Where it stands after a poke: one row is new.
        cursors: { catalogue: device.catalogueVersion, user: device.seenVersion, older: null },
        answeredSeq: 0,
      });

/** Turns of a long practice; then the learner begins another. */
const TURNS_A_SESSION = 40;

/** One turn of a conversation, said and saved. */
function aChange(device: LoadDevice): unknown {
  device.lastSeq += 1;
  const { deviceId, lastSeq: deviceSeq } = device;
  const now = new Date().toISOString();
  const at = formatHybridTime({ ms: Date.now(), counter: deviceSeq % 65_536, deviceId });
  const row = deviceSeq % TURNS_A_SESSION === 0 ? nextSession(device) : nextTurn(device, now);
  const change = { ...row, id: randomUUID(), deviceSeq, op: 'upsert', at, base: 0 };
  return { protocol: SYNC_PROTOCOL, deviceId, epoch: null, now, mutations: [change] };
}

function nextSession(device: LoadDevice): object {
  device.sessionId = randomUUID();
  device.lastTurnId = null;
  return { table: 'practice_history', rowId: device.sessionId, fields: device.session };
}

function nextTurn(device: LoadDevice, now: string): object {
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

/** The highest rate of those tried that stays within the limit, and what was measured there; null when none does. */
export async function highestRate(
  load: Omit<Load, 'perSecond'>,
  limit: Limit,
): Promise<{ perSecond: number; figures: LoadFigures } | null> {
  let best: { perSecond: number; figures: LoadFigures } | null = null;
  for (const perSecond of RATES) {
    // Once more where it did not hold: a checkpoint of the database falls into one of two.
    const holds = async (): Promise<LoadFigures | null> => {
      const figures = await measureLoad({ ...load, perSecond });
      return figures.failed > 0 || figures.p99Ms > limit.p99Ms ? null : figures;
    };
    const figures = (await holds()) ?? (await holds());
    if (figures === null) break;
    best = { perSecond, figures };
  }
  return best;
}

const RATES: readonly number[] = [25, 50, 100, 150, 200, 300, 400, 500, 600, 800, 1_000, 1_300, 1_600, 2_000];
