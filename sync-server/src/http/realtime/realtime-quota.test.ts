import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aBeginMessage, type RealtimeClient } from '../../../test-kit/realtime/realtime-client.ts';
import { waitUntil, openRealtimeFixture, type RealtimeFixture } from '../../../test-kit/realtime/realtime-fixture.ts';

let home: RealtimeFixture;
beforeAll(async () => {
  home = await openRealtimeFixture();
});
beforeEach(() => home.moveIn());
afterAll(() => home.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Advances the clock through a session, in which each minute is leased as it begins. */
async function goOn(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 30) {
    home.server.advanceClock(Math.min(left, 30) * 1_000);
    await pause(50);
  }
}

const liveSeconds = async (): Promise<number> =>
  (await home.readLedger()).filter(({ use }) => use === 'live').reduce((sum, { seconds }) => sum + seconds, 0);

const PLUS_S = 3_600;

describe('the plan’s allowance', () => {
  it('is counted per minute, with warnings at five minutes and one minute', async () => {
    await home.recordUsage(PLUS_S - 420);
    const call = await home.begin();
    expect(call.all('ready')[0]?.remainingS).toBe(420);
    await call.playToEnd();
    await goOn(90);
    expect(call.all('quota')).toEqual([]);
    await goOn(60);
    await expect.poll(() => call.all('quota')).toEqual([{ type: 'quota', remainingS: 300 }]);
    expect(await liveSeconds()).toBeGreaterThanOrEqual(PLUS_S - 420 + 100);
    call.speak(900);
    await call.playToEnd();
    await goOn(90);
    call.speak(900);
    await call.playToEnd();
    await goOn(120);
    await expect
      .poll(() => call.all('quota'))
      .toEqual([
        { type: 'quota', remainingS: 300 },
        { type: 'quota', remainingS: 60 },
      ]);
    call.sendMessage({ type: 'end' });
    await call.closed;
  });

  it('ends with a goodbye after the current utterance is heard', async () => {
    const { script } = home.fake;
    script.queueReplies(
      { text: 'A last long question?', audioMs: 600 },
      { text: 'We must stop here. Goodbye!', audioMs: 200 },
    );
    await home.recordUsage(PLUS_S - 40);
    const call = await home.begin();
    await call.next('coachStarted');
    home.server.advanceClock(40_000);
    expect(await call.next('quota')).toEqual({ type: 'quota', remainingS: 0 });
    const first = await call.next('coachEnded', 3_000);
    expect(first).toMatchObject({ text: 'A last long question?', wasCut: false, isGoodbye: false });
    const goodbye = await call.next('coachEnded', 3_000);
    expect(goodbye).toMatchObject({ text: 'We must stop here. Goodbye!', isGoodbye: true });
    expect(await call.next('over')).toEqual({ type: 'over', reason: 'quota' });
    expect(await call.closed).toBe(1000);
    const asked = home.latestProviderSession().received.filter(({ type }) => type === 'response.create');
    expect(JSON.stringify(asked.at(-1))).toContain('This is your last answer');
    // The goodbye is not counted.
    await waitUntil(async () => (await liveSeconds()) <= PLUS_S);
  });

  it('lets the learner finish their turn and answers it with the goodbye', async () => {
    home.fake.script.queueReplies('Good morning.', { text: 'Goodbye!', audioMs: 100 });
    await home.recordUsage(PLUS_S - 40);
    const call = await home.begin();
    await call.playToEnd();
    call.speak(2_000);
    home.server.advanceClock(40_000);
    await call.next('learnerSaid');
    await call.next('quota');
    for (;;) {
      const ended = await call.playToEnd();
      if (ended.isGoodbye) break;
    }
    expect((await call.next('over')).reason).toBe('quota');
  });

  it('ends the session a minute later in any case', async () => {
    home.fake.script.queueReplies({ text: 'On and on.', audioMs: 60_000 });
    await home.recordUsage(PLUS_S - 40);
    const call = await home.begin();
    await call.next('coachStarted');
    home.server.advanceClock(40_000);
    await call.next('quota');
    home.server.advanceClock(59_000);
    await pause(50);
    expect(call.all('over')).toEqual([]);
    home.server.advanceClock(1_000);
    expect((await call.next('over')).reason).toBe('quota');
    await call.closed;
    await waitUntil(() => home.latestProviderSession().state === 'closed');
  });

  it('can grow during the session: an upgrade continues it', async () => {
    await home.recordUsage(PLUS_S - 40);
    const call = await home.begin();
    await call.playToEnd();
    home.plan.now = 'PRO';
    home.server.advanceClock(40_000);
    await waitUntil(async () => ((await home.readLeases())[0]?.expiresAt.getTime() ?? 0) > home.server.now().getTime());
    await pause(50);
    expect(call.all('quota')).toEqual([]);
    call.sendMessage({ type: 'end' });
    await call.closed;
  });

  it.each([
    ['is none on a free plan', 'FREE', 'quota.out'],
    ['is there on trial', 'TRIALING', null],
  ] as const)('%s', async (_what, plan, code) => {
    home.plan.now = plan;
    const call = await home.begin();
    expect(call.all('failed')).toEqual(code === null ? [] : [{ type: 'failed', code }]);
    if (code === null) call.sendMessage({ type: 'end' });
    await call.closed;
  });

  it('is not spent in one session: the coach says goodbye after 55 minutes', async () => {
    home.plan.now = 'PRO';
    home.fake.script.queueReplies('Good morning.', { text: 'Let us stop here. Goodbye!', audioMs: 100 });
    const call = await home.begin();
    await call.playToEnd();
    home.server.advanceClock(55 * 60_000);
    expect(await call.playToEnd()).toMatchObject({ text: 'Let us stop here. Goodbye!', isGoodbye: true });
    expect((await call.next('over')).reason).toBe('limit');
    await call.closed;
  });

  it('is not spent on an absent learner', async () => {
    const call = await home.begin();
    await call.playToEnd();
    await goOn(170);
    expect(call.all('over')).toEqual([]);
    await goOn(10);
    expect((await call.next('over')).reason).toBe('idle');
    // The learner said nothing, so nothing is counted.
    await waitUntil(async () => (await liveSeconds()) === 0);
  });
});

describe('a session on two devices', () => {
  const ended = async (call: RealtimeClient): Promise<unknown> => {
    await call.closed;
    return call.messages.at(-1);
  };

  it('is refused on the second and continues on the first', async () => {
    const laptop = await home.begin();
    const phone = await home.begin({}, home.phone);
    expect(await ended(phone)).toEqual({ type: 'failed', code: 'live.elsewhere' });
    home.server.advanceClock(5_000);
    await pause(50);
    expect(laptop.all('failed')).toEqual([]);
    laptop.sendMessage({ type: 'end' });
    await laptop.closed;
  });

  it('moves to the second when the learner asks for it', async () => {
    const laptop = await home.begin();
    const provider = home.latestProviderSession();
    const phone = await home.begin({ takeOver: true }, home.phone);
    expect(phone.all('ready')).toHaveLength(1);
    // The session ends without waiting for a heartbeat, because each call costs the server money.
    expect(await ended(laptop)).toEqual({ type: 'failed', code: 'live.elsewhere' });
    await waitUntil(() => provider.state === 'closed');
    // The end of the first session does not release the lease of the second.
    expect((await home.readLeases()).map(({ deviceId }) => deviceId)).toEqual([home.phone.deviceId]);
    phone.sendMessage({ type: 'end' });
    await phone.closed;
  });

  it('is independent for two learners', async () => {
    const call = await home.begin();
    const other = await home.begin({}, home.stranger);
    expect(other.all('ready')).toHaveLength(1);
    for (const one of [call, other]) one.sendMessage({ type: 'end' });
    await Promise.all([call.closed, other.closed]);
  });

  it('ends within a minute for a device that is signed out', async () => {
    const phone = await home.begin({}, home.phone);
    await home.laptop.revoke(home.phone.deviceId);
    home.server.advanceClock(50_000);
    expect(await ended(phone)).toEqual({ type: 'failed', code: 'auth.device_revoked' });
  });
});

describe('an interrupted session', () => {
  it.each([
    ['is cut', { does: 'cut', afterMs: 300 }, 'unreachable'],
    ['falls silent', { does: 'fall_silent', afterMs: 300 }, 'unreachable'],
    ['sends nonsense', { does: 'garble', afterMs: 300 }, 'malformed'],
  ] as const)('whose provider %s is not counted', async (_what, goesWrong, detail) => {
    home.fake.script.queueReplies('Good morning.', {
      text: 'An answer that never ends.',
      audioMs: 3_000,
      failure: goesWrong,
    });
    const call = await home.begin();
    await call.playToEnd();
    call.speak(1_000);
    home.server.advanceClock(30_000);
    expect(await call.next('failed', 4_000)).toEqual({ type: 'failed', code: 'coach.unavailable', data: { detail } });
    expect(await call.closed).toBe(1011);
    await waitUntil(async () => (await home.readLeases()).length === 0);
    expect(await liveSeconds()).toBe(0);
  });

  it.each([
    [{ does: 'reject', status: 401 }, 'coach.misconfigured'],
    [{ does: 'reject', status: 429, code: 'insufficient_quota' }, 'coach.misconfigured'],
    [{ does: 'refuse_session', code: 'invalid_value' }, 'coach.unavailable'],
  ] as const)('that failed before it began with %j is not counted', async (refusal, code) => {
    home.fake.script.queueRejections(refusal, refusal, refusal);
    const call = await home.begin();
    expect(call.messages).toMatchObject([{ type: 'failed', code }]);
    await waitUntil(async () => (await home.readLeases()).length === 0);
  });

  it('whose device vanishes closes the provider and refunds the minute', async () => {
    home.fake.script.queueReplies('Good morning.', { text: 'A long answer to an absent learner.', audioMs: 5_000 });
    const call = await home.begin();
    await call.playToEnd();
    call.speak(5_000);
    await call.next('coachStarted');
    home.server.advanceClock(20_000);
    call.terminate();
    await waitUntil(() => home.latestProviderSession().state === 'closed');
    await waitUntil(async () => (await home.readLeases()).length === 0);
    // Five seconds of speech are too few to count, but the provider is still paid for its reply.
    expect(await liveSeconds()).toBe(0);
    expect((await home.readLedger()).filter(({ use }) => use === 'reply')).toHaveLength(2);
  });

  it('resumes before the old connection is known to be dead', async () => {
    const { held } = aBeginMessage(home.ids);
    const old = await home.begin({ held });
    await old.playToEnd();
    const provider = home.latestProviderSession();
    old.socket.pause();
    const call = await home.begin({ held });
    expect(call.all('ready')).toHaveLength(1);
    await waitUntil(() => provider.state === 'closed');
    home.server.advanceClock(5_000);
    await pause(50);
    expect(call.all('failed')).toEqual([]);
    expect(await home.readLeases()).toHaveLength(1);
    old.terminate();
    call.sendMessage({ type: 'end' });
    await call.closed;
  });

  it('that a device begins several times at once continues as one', async () => {
    const { held } = aBeginMessage(home.ids);
    const earlier = home.fake.sessions.length;
    const openSessions = () => home.fake.sessions.slice(earlier).filter(({ state }) => state !== 'closed').length;
    const calls = await Promise.all([1, 2, 3].map(() => home.begin({ held })));
    await waitUntil(() => openSessions() === 1);
    expect(await home.readLeases()).toHaveLength(1);
    for (const call of calls) call.sendMessage({ type: 'end' });
    await waitUntil(() => openSessions() === 0);
  });

  it('sends heartbeats, so time after a server crash is not counted', async () => {
    const call = await home.begin();
    await call.playToEnd();
    home.server.advanceClock(20_000);
    await waitUntil(async () => (await home.readLeases())[0]?.seenAt?.getTime() === home.server.now().getTime());
    call.sendMessage({ type: 'end' });
    await call.closed;
  });

  it('resumes although the old connection, at another node, releases the minute', async () => {
    const { held } = aBeginMessage(home.ids);
    const call = await home.begin({ held });
    await home.deleteLease();
    home.server.advanceClock(5_000);
    await waitUntil(async () => (await home.readLeases()).length === 1);
    expect(call.all('failed')).toEqual([]);
    call.sendMessage({ type: 'end' });
    await call.closed;
  });

  it('ends cleanly when the device vanishes during set-up', async () => {
    home.fake.script.queueRejections({ does: 'fall_silent' });
    const call = await home.call();
    call.sendMessage(aBeginMessage(home.ids));
    await waitUntil(async () => (await home.readLeases()).length === 1);
    call.terminate();
    await waitUntil(async () => (await home.readLeases()).length === 0);
  });
});
