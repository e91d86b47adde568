/** A device with a good token and bad intentions: other learners' rows, account fields, other devices' names, and plain nonsense. */
import { formatHybridTime } from '@parley/domain';
import { z } from 'zod';
import type { Random } from '../random.ts';
import { Outcome } from '../scripted-client.ts';
import { type Answer, post } from '../server-reader.ts';
import type { World } from './world.ts';

const Pushed = z.object({ outcomes: z.array(Outcome), lastSeq: z.number() });

interface Attempt {
  what: string;
  table: string;
  rowId: string;
  op?: 'upsert' | 'delete';
  fields?: Record<string, unknown>;
}

/** Says what was let through; a server that is down lets nothing through. */
export async function attack(world: World, random: Random): Promise<void> {
  world.counts.add('rogue');
  try {
    await attackRows(world, random);
    await attackRequests(world, random);
  } catch (error) {
    // Killed under the attack.
    if (!(error instanceof TypeError)) throw error;
  }
}

async function attackRows(world: World, random: Random): Promise<void> {
  const [own, other] = world.template.learners;
  const { deviceId, token, userId } = other.rogue;
  const victimRow = random.pick(own.historyIds);
  const ahead = Date.now() + 30_000;
  const account = (fields: Record<string, unknown>): Attempt => ({
    what: `account fields ${Object.keys(fields).join(', ')}`,
    table: 'users',
    rowId: userId,
    fields: { jobTitle: 'Director', ...fields },
  });
  const attempts: Attempt[] = [
    { what: 'a session of another', table: 'practice_history', rowId: victimRow, fields: { summary: 'taken' } },
    { what: 'a deletion of another', table: 'practice_history', rowId: victimRow, op: 'delete' },
    { what: 'the profile of another', table: 'users', rowId: own.userId, fields: { firstName: 'taken' } },
    {
      what: 'a row given to another',
      table: 'practice_history',
      rowId: random.pick(other.historyIds),
      fields: { userId: own.userId },
    },
    account({ hasAccess: true }),
    account({ isAdmin: true }),
    account({ email: 'rogue@parley.invalid' }),
    { what: 'a plan', table: 'subscriptions', rowId: random.uuid(), fields: { userId, planType: 'PRO' } },
    { what: 'the catalogue', table: 'practices', rowId: random.pick(world.ids.practiceIds), op: 'delete' },
    { what: 'a table of the server', table: 'devices', rowId: deviceId, op: 'delete' },
  ];
  const pushOf = (mutations: object[]) => ({
    protocol: 3,
    deviceId,
    epoch: null,
    now: new Date().toISOString(),
    mutations,
  });
  const state = await post(world.url(), '/v1/sync/push', pushOf([]), token);
  if (state.status !== 200) return;
  const { lastSeq } = Pushed.parse(state.body);
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
  const { status, body } = await post(world.url(), '/v1/sync/push', pushOf(mutations), token);
  if (status !== 200) return;
  for (const [index, outcome] of Pushed.parse(body).outcomes.entries())
    if (outcome.status !== 'rejected')
      world.oddities.push(`the server took ${attempts[index]?.what ?? '?'} from a rogue device: ${outcome.status}`);
}

async function attackRequests(world: World, random: Random): Promise<void> {
  const [own, other] = world.template.learners;
  const { token, deviceId } = other.rogue;
  const victim = own.rogue.deviceId;
  const stream = { protocol: 3, epoch: null, cursors: { user: 0, catalogue: 0, older: null }, answeredSeq: 0 };
  const wrongToken = `${victim}.${random.uuid()}${random.uuid()}`;
  const expect = async (what: string, wanted: readonly number[], answer: Promise<Answer>): Promise<void> => {
    const { status } = await answer;
    // One that is too busy lets nothing through either.
    if (!wanted.includes(status) && status !== 503) world.oddities.push(`the server answered ${status} to ${what}`);
  };
  const url = world.url();
  await expect(
    'a stream in the name of another device',
    [403],
    post(url, '/v1/sync/stream', { ...stream, deviceId: victim }, token),
  );
  await expect('a made-up token', [401], post(url, '/v1/sync/stream', { ...stream, deviceId: victim }, wrongToken));
  await expect('no token', [401], post(url, '/v1/sync/stream', { ...stream, deviceId }));
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
