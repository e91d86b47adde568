/** Simulates a device with a later version of the app, which sends unknown fields beside known ones. */
import { formatHybridTime } from '@parley/domain';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { LearnerModel } from '../model/learner-model.ts';
import type { OutboxEntry, Wire } from '../messages.ts';
import { drawSession } from '../plan/draw-values.ts';
import type { Random } from '../seeded-random.ts';
import { Outcome } from '../protocol-2-client.ts';
import { type Credentials, post } from '../read-server.ts';
import type { RunEnvironment } from './run-environment.ts';

const PushResponse = z.object({ outcomes: z.array(Outcome), lastSeq: z.number() });
const TABLE = 'practice_history';
/** A killed server can take a while to restart on a busy machine. */
const MAX_WAIT_MS = 180_000;
const RETRY_MS = 150;

/** Reports what was lost or wrongly refused, and records in the model what it could send. */
export async function simulateNewerApp(
  environment: RunEnvironment,
  parts: { credentials: Credentials; model: LearnerModel; random: Random },
): Promise<void> {
  const { credentials, model, random } = parts;
  const { deviceId, userId } = credentials;
  environment.counts.add('new_app');
  const rowId = random.uuid();
  const at = (counter: number): string => formatHybridTime({ ms: Date.now(), counter, deviceId });
  const feedback: Wire = {
    best: 'a',
    fix: 'b',
    nextStep: 'c',
    wordsToTrain: [],
    tone: 'warm',
    scale: { of: 5, is: 4 },
  };
  const session: Wire = {
    ...drawSession(random, environment.ids),
    id: rowId,
    userId,
    createdAt: new Date().toISOString(),
    feedback,
  };
  const entry = (fields: Wire, counter: number): OutboxEntry => ({
    mutationId: random.uuid(),
    table: TABLE,
    rowId,
    op: 'upsert',
    fields,
    creates: counter === 0,
    at: at(counter),
  });
  const known = [entry(session, 0), entry({ duration: 90_000 }, 1)];
  const unknown: Wire[] = [{ mood: 'calm' }, { difficulty: 'impossible' }];
  const expectedRefusals = [
    { field: 'mood', code: 'unknown_field' },
    { field: 'difficulty', code: 'invalid_value' },
  ];
  const madeMs = Date.now();
  for (const one of known) model.recordOutboxEntry(one, deviceId, { madeMs, trueMs: madeMs, seenMs: 0 });
  const mutations = known.map(({ mutationId, creates: _creates, ...change }, index) => ({
    ...change,
    id: mutationId,
    deviceSeq: index + 1,
    base: 0,
    fields: {
      ...change.fields,
      ...unknown[index],
    },
  }));
  for (const untilMs = performance.now() + MAX_WAIT_MS; performance.now() < untilMs;) {
    const now = new Date().toISOString();
    const request = { protocol: 3, deviceId, epoch: null, now, mutations };
    const { status, body } = await post(environment.url(), '/v1/sync/push', request, credentials.token).catch(() => ({
      status: 0,
      body: null,
    }));
    if (status === 200) {
      model.markSettled(deviceId, [], Date.now());
      return void environment.anomalies.push(...findProblems(PushResponse.parse(body).outcomes, expectedRefusals));
    }
    if (status === 400)
      return void environment.anomalies.push(`the server refused all of a later app's push: ${String(body)}`);
    await pause(RETRY_MS);
  }
  environment.anomalies.push('a later app could not push');
}

function findProblems(outcomes: readonly Outcome[], wanted: readonly { field: string; code: string }[]): string[] {
  return wanted.flatMap(({ field, code }, index) => {
    const outcome = outcomes[index];
    // The response to the first attempt was lost.
    if (outcome?.status === 'duplicate') return [];
    const isReported = outcome?.refused?.some((refused) => refused.field === field && refused.code === code) === true;
    return outcome?.status === 'merged' && isReported
      ? []
      : [`field ${field} of a later app got ${JSON.stringify(outcome)} instead of a merge with ${code}`];
  });
}
