/** An adversary with a valid token: rows of other learners, account fields, foreign device ids and invalid requests. */
import { formatHybridTime } from '@parley/domain';
import { z } from 'zod';
import type { Random } from '../seeded-random.ts';
import { Outcome } from '../protocol-2-client.ts';
import { type Answer, post } from '../read-server.ts';
import type { RunEnvironment } from './run-environment.ts';

const PushResponse = z.object({ outcomes: z.array(Outcome), lastSeq: z.number() });

interface ForbiddenChange {
  what: string;
  table: string;
  rowId: string;
  op?: 'upsert' | 'delete';
  fields?: Record<string, unknown>;
}

/** Reports everything that the server accepted; a server that is down accepts nothing. */
export async function runAdversary(environment: RunEnvironment, random: Random): Promise<void> {
  environment.counts.add('adversary');
  try {
    await pushForbiddenRows(environment, random);
    await sendForbiddenRequests(environment, random);
  } catch (error) {
    // The server was killed during the attack.
    if (!(error instanceof TypeError)) throw error;
  }
}

async function pushForbiddenRows(environment: RunEnvironment, random: Random): Promise<void> {
  const [own, other] = environment.template.learners;
  const { deviceId, token, userId } = other.adversary;
  const victimRow = random.pick(own.historyIds);
  const ahead = Date.now() + 30_000;
  const accountFields = (fields: Record<string, unknown>): ForbiddenChange => ({
    what: `account fields ${Object.keys(fields).join(', ')}`,
    table: 'users',
    rowId: userId,
    fields: { jobTitle: 'Director', ...fields },
  });
  const attempts: ForbiddenChange[] = [
    { what: 'a session of another learner', table: 'practice_history', rowId: victimRow, fields: { summary: 'taken' } },
    { what: 'a deletion in another account', table: 'practice_history', rowId: victimRow, op: 'delete' },
    { what: 'the profile of another learner', table: 'users', rowId: own.userId, fields: { firstName: 'taken' } },
    {
      what: 'a row assigned to another learner',
      table: 'practice_history',
      rowId: random.pick(other.historyIds),
      fields: { userId: own.userId },
    },
    accountFields({ hasAccess: true }),
    accountFields({ isAdmin: true }),
    accountFields({ email: 'adversary@parley.invalid' }),
    { what: 'a plan', table: 'subscriptions', rowId: random.uuid(), fields: { userId, planType: 'PRO' } },
    { what: 'the catalogue', table: 'practices', rowId: random.pick(environment.ids.practiceIds), op: 'delete' },
    { what: 'an internal table', table: 'devices', rowId: deviceId, op: 'delete' },
  ];
  const pushRequest = (mutations: object[]) => ({
    protocol: 3,
    deviceId,
    epoch: null,
    now: new Date().toISOString(),
    mutations,
  });
  const state = await post(environment.url(), '/v1/sync/push', pushRequest([]), token);
  if (state.status !== 200) return;
  const { lastSeq } = PushResponse.parse(state.body);
  const mutations = attempts.map(({ table, rowId, op = 'upsert', fields = {} }, index) => ({
    id: random.uuid(),
    deviceSeq: lastSeq + index + 1,
    at: formatHybridTime({ ms: ahead, counter: index, deviceId }),
    table,
    rowId,
    op,
    fields,
    base: 0,
  }));
  const { status, body } = await post(environment.url(), '/v1/sync/push', pushRequest(mutations), token);
  if (status !== 200) return;
  for (const [index, outcome] of PushResponse.parse(body).outcomes.entries())
    if (outcome.status !== 'rejected')
      environment.anomalies.push(
        `the server accepted ${attempts[index]?.what ?? '?'} from the adversary: ${outcome.status}`,
      );
}

async function sendForbiddenRequests(environment: RunEnvironment, random: Random): Promise<void> {
  const [own, other] = environment.template.learners;
  const { token, deviceId } = other.adversary;
  const victimDeviceId = own.adversary.deviceId;
  const stream = { protocol: 3, epoch: null, cursors: { user: 0, catalogue: 0, older: null }, answeredSeq: 0 };
  const wrongToken = `${victimDeviceId}.${random.uuid()}${random.uuid()}`;
  const expect = async (what: string, wanted: readonly number[], answer: Promise<Answer>): Promise<void> => {
    const { status } = await answer;
    // An overloaded server lets nothing through either.
    if (!wanted.includes(status) && status !== 503)
      environment.anomalies.push(`the server responded with ${status} to ${what}`);
  };
  const url = environment.url();
  await expect(
    'a stream in the name of another device',
    [403],
    post(url, '/v1/sync/stream', { ...stream, deviceId: victimDeviceId }, token),
  );
  await expect(
    'a made-up token',
    [401],
    post(url, '/v1/sync/stream', { ...stream, deviceId: victimDeviceId }, wrongToken),
  );
  await expect('no token', [401], post(url, '/v1/sync/stream', { ...stream, deviceId }));
  const turns = { protocol: 3, epoch: null, sessionIds: [random.uuid()] };
  await expect(
    'a request for turns in the name of another device',
    [403],
    post(url, '/v1/sync/turns', { ...turns, deviceId: victimDeviceId }, token),
  );
  await expect('a request for turns without a token', [401], post(url, '/v1/sync/turns', { ...turns, deviceId }));
  await expect(
    'nonsense',
    [400],
    post(url, '/v1/sync/push', { protocol: 3, deviceId, epoch: null, now: 'now', mutations: 'all' }, token),
  );
  await expect(
    'a protocol of the future',
    [426],
    post(url, '/v1/sync/stream', { ...stream, deviceId, protocol: 99 }, token),
  );
}
