/** A failure has the same code whether it ends a turn or a realtime session. */
import type { ErrorCode } from '@parley/contract';
import type { ScriptStep } from '@parley/fakes/openai/index.ts';
import type { ScriptedRejection, ScriptedReply } from '@parley/fakes/openai-realtime/index.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startModelSession, streamCoach } from '../test-kit/model-coach-server.ts';
import { type OpenHost, openHost } from '../test-kit/open-host.ts';
import { openRealtimeWindow, type RealtimeTestServer, startRealtimeServer } from '../test-kit/realtime-server.ts';

/** The adapter and the host retry what is transient, so each failure is scripted more often than they try. */
const REPEATS = 9;

let server: RealtimeTestServer;
beforeAll(async () => {
  server = await startRealtimeServer();
});
afterAll(() => server.close());

const hosts: OpenHost[] = [];
async function open(): Promise<OpenHost['ask']> {
  const opened = await openHost({ serverUrl: server.url, clock: { now: () => new Date() } });
  hosts.push(opened);
  await opened.ask.sync.run();
  return opened.ask;
}
afterEach(async () => {
  server.fake.script.clear();
  server.judgements.length = 0;
  for (const { host } of hosts.splice(0)) await host.close();
});

const codeOf = (ended: Promise<unknown>): Promise<ErrorCode | 'none'> =>
  ended.then(
    () => 'none' as const,
    (error: { code: ErrorCode }) => error.code,
  );

async function codesOfBothPaths(ask: OpenHost['ask']): Promise<{ turn: string; realtime: string }> {
  const { sessionId } = await startModelSession(ask);
  const turn = await codeOf(streamCoach(ask, sessionId));
  return { turn, realtime: await codeOf(openRealtimeWindow(ask, sessionId).over) };
}

const rejection = (status: number, code?: string, retryAfterMs?: number): ScriptedRejection & ScriptStep => ({
  does: 'reject',
  status,
  ...(code === undefined ? {} : { code }),
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

describe('a provider', () => {
  it.each<[what: string, failure: ScriptedRejection & ScriptStep, code: ErrorCode]>([
    ['refuses the key', rejection(401), 'coach.misconfigured'],
    ['is not allowed in this country', rejection(403), 'coach.misconfigured'],
    ['is rate limited for longer than a learner waits', rejection(429, undefined, 60_000), 'coach.busy'],
    ['has no credit left', rejection(429, 'insufficient_quota'), 'coach.misconfigured'],
    ['fails', rejection(500), 'coach.unavailable'],
    ['does not know the model', rejection(404, 'model_not_found'), 'coach.unavailable'],
    ['declines the request', rejection(400, 'content_policy_violation'), 'coach.declined'],
  ])('that %s before it answers gives the same code', async (_what, failure, code) => {
    const ask = await open();
    for (let at = 0; at < REPEATS; at += 1) {
      server.judgements.push(failure);
      server.fake.script.queueRejections(failure);
    }
    expect(await codesOfBothPaths(ask)).toEqual({ turn: code, realtime: code });
  });

  const utterance = (
    does: NonNullable<ScriptedReply['failure']>['does'],
    { code, afterMs = 300 }: { code?: string; afterMs?: number } = {},
  ): ScriptedReply => ({
    text: 'Where is my order, and when will it come?',
    audioMs: 2_000,
    failure: { does, afterMs, ...(code === undefined ? {} : { code }) },
  });

  it.each<[what: string, step: ScriptStep, reply: ScriptedReply, code: ErrorCode]>([
    ['breaks off', { does: 'cut', afterEvents: 1 }, utterance('cut'), 'coach.unavailable'],
    [
      'falls silent',
      { does: 'fall_silent', afterEvents: 1 },
      utterance('fall_silent', { afterMs: 0 }),
      'coach.unavailable',
    ],
    ['answers without JSON', { does: 'garble_json' }, utterance('garble_json'), 'coach.unavailable'],
    [
      'reaches its rate limit',
      { does: 'fail', code: 'rate_limit_exceeded' },
      utterance('error', { code: 'rate_limit_exceeded' }),
      'coach.busy',
    ],
    [
      'declines to continue',
      { does: 'fail', code: 'content_policy_violation' },
      utterance('error', { code: 'content_policy_violation' }),
      'coach.declined',
    ],
  ])('that %s gives the same code', async (_what, step, reply, code) => {
    const ask = await open();
    for (let at = 0; at < REPEATS; at += 1) {
      server.judgements.push(step);
      server.fake.script.queueReplies(reply);
    }
    expect(await codesOfBothPaths(ask)).toEqual({ turn: code, realtime: code });
  });
});

describe('a server that refuses this device', () => {
  it('gives the same code when the device was removed from the account', async () => {
    const [ask, other] = [await open(), await open()];
    await other.account.join({ code: (await ask.account.createLinkCode()).code });
    const removed = (await other.account.devices()).find(({ isThis }) => !isThis);
    if (removed === undefined) throw new Error('the account has no second device');
    await other.account.revokeDevice({ deviceId: removed.deviceId });
    expect(await codesOfBothPaths(ask)).toEqual({ turn: 'auth.device_revoked', realtime: 'auth.device_revoked' });
  });
});
