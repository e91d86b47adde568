/**
 * Learners who push one turn after another, as the app does: the next only when the last has been acknowledged, and a
 * failed one again.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SYNC_PROTOCOL } from '@parley/contract';
import { formatHybridTime } from '@parley/domain';
import type { LoadDevice } from '../load/seed-learners.ts';

export interface AcknowledgedTurns {
  /** The ids of the turns that a server has acknowledged. */
  turnIds: string[];
  /** How often a push failed and was sent again, to the next node. */
  repeated: number;
}

const RETRY_AFTER_MS = 50;
const TURN_EVERY_MS = 100;
const MAX_TRIES = 600;

/** Pushes until the signal aborts. Each learner ends with a turn that is acknowledged. */
export async function pushTurns(
  urls: readonly string[],
  devices: readonly LoadDevice[],
  signal: AbortSignal,
): Promise<AcknowledgedTurns> {
  const perLearner = await Promise.all(devices.map((device, index) => pushTurnsOf(urls, { device, index }, signal)));
  return {
    turnIds: perLearner.flatMap(({ turnIds }) => turnIds),
    repeated: perLearner.reduce((sum, { repeated }) => sum + repeated, 0),
  };
}

async function pushTurnsOf(
  urls: readonly string[],
  { device, index }: { device: LoadDevice; index: number },
  signal: AbortSignal,
): Promise<AcknowledgedTurns> {
  const turnIds: string[] = [];
  let repeated = 0;
  let node = index;
  while (!signal.aborted) {
    const { turnId, push } = nextTurn(device);
    let tries = 1;
    while (!(await isAcknowledged(urls[node % urls.length] ?? '', device, push))) {
      if (tries === MAX_TRIES) throw new Error('no node acknowledges a turn any more');
      tries += 1;
      repeated += 1;
      // The load balancer sends the next attempt to another node.
      node += 1;
      await wait(RETRY_AFTER_MS);
    }
    turnIds.push(turnId);
    await wait(TURN_EVERY_MS);
  }
  return { turnIds, repeated };
}

function nextTurn(device: LoadDevice): { turnId: string; push: object } {
  const { deviceId, userId, interactionId, sessionId, lastTurnId: previousTurnId } = device;
  const turnId = randomUUID();
  const now = new Date().toISOString();
  device.lastSeq += 1;
  device.lastTurnId = turnId;
  const mutation = {
    table: 'ai_conversations',
    rowId: turnId,
    fields: {
      createdAt: now,
      userId,
      interactionId,
      sessionId,
      previousTurnId,
      content: 'We are two days late because the supplier moved.',
      role: 'learner',
      saidAt: now,
      mode: 'typed',
      node: 'opening',
    },
    id: randomUUID(),
    deviceSeq: device.lastSeq,
    op: 'upsert',
    at: formatHybridTime({ ms: Date.now(), counter: device.lastSeq % 65_536, deviceId }),
    base: 0,
  };
  return { turnId, push: { protocol: SYNC_PROTOCOL, deviceId, epoch: null, now, mutations: [mutation] } };
}

async function isAcknowledged(url: string, { token }: LoadDevice, push: object): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/v1/sync/push`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(push),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
