/** A device of a later version: it sends what this server does not know beside what it knows. */
import { formatHybridTime } from '@parley/domain';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { LearnerModel } from '../model/learner-model.ts';
import type { OutboxEntry, Wire } from '../messages.ts';
import { sessionValues } from '../plan/draw-values.ts';
import type { Random } from '../random.ts';
import { Outcome } from '../scripted-client.ts';
import { type Credentials, post } from '../server-reader.ts';
import type { World } from './world.ts';

const Pushed = z.object({ outcomes: z.array(Outcome), lastSeq: z.number() });
const TABLE = 'practice_history';
const TRIES = 40;
const RETRY_MS = 150;

/** Says what was lost or wrongly refused; what it could send is told to the model. */
export async function playNewApp(
  world: World,
  parts: { credentials: Credentials; model: LearnerModel; random: Random },
): Promise<void> {
  const { credentials, model, random } = parts;
  const { deviceId, userId } = credentials;
  world.counts.add('new_app');
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
    ...sessionValues(random, world.ids),
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
  const wanted = [
    { field: 'mood', code: 'unknown_field' },
    { field: 'difficulty', code: 'invalid_value' },
  ];
  const madeMs = Date.now();
  for (const one of known) model.adopt(one, deviceId, { madeMs, trueMs: madeMs, seenMs: 0 });
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
  for (let tried = 0; tried < TRIES; tried += 1) {
    const now = new Date().toISOString();
    const request = { protocol: 3, deviceId, epoch: null, now, mutations };
    const { status, body } = await post(world.url(), '/v1/sync/push', request, credentials.token).catch(() => ({
      status: 0,
      body: null,
    }));
    if (status === 200) {
      model.settle(deviceId, [], Date.now());
      return void world.oddities.push(...problemsIn(Pushed.parse(body).outcomes, wanted));
    }
    if (status === 400)
      return void world.oddities.push(`the server refused all of a later app's push: ${String(body)}`);
    await pause(RETRY_MS);
  }
  world.oddities.push('a later app could not push');
}

function problemsIn(outcomes: readonly Outcome[], wanted: readonly { field: string; code: string }[]): string[] {
  return wanted.flatMap(({ field, code }, index) => {
    const outcome = outcomes[index];
    // A first try whose answer was lost.
    if (outcome?.status === 'duplicate') return [];
    const isReported = outcome?.refused?.some((refused) => refused.field === field && refused.code === code) === true;
    return outcome?.status === 'merged' && isReported
      ? []
      : [`a later app's ${field} was answered ${JSON.stringify(outcome)}, and not merged with ${code}`];
  });
}
