import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aBegin, type RealtimeCall } from '../test-kit/realtime-call.ts';
import { eventually, openRealtimeHome, type RealtimeHome } from '../test-kit/realtime-home.ts';

let home: RealtimeHome;
beforeAll(async () => {
  home = await openRealtimeHome();
});
beforeEach(() => home.moveIn());
afterAll(() => home.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** As a conversation lasts: each minute is leased while it goes on. */
async function goOn(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 30) {
    home.server.pass(Math.min(left, 30) * 1_000);
    await pause(50);
  }
}

const liveSeconds = async (): Promise<number> =>
  (await home.ledger()).filter(({ use }) => use === 'live').reduce((sum, { seconds }) => sum + seconds, 0);

const PLUS_S = 3_600;

describe('the time that a plan allows', () => {
  it('is told when five minutes are left, and one, and counted minute by minute', async () => {
    await home.use(PLUS_S - 420);
    const call = await home.begin();
    expect(call.all('ready')[0]?.remainingS).toBe(420);
    await call.hearOut();
    await goOn(90);
    expect(call.all('quota')).toEqual([]);
    await goOn(60);
    expect(call.all('quota')).toEqual([{ type: 'quota', remainingS: 300 }]);
    expect(await liveSeconds()).toBeGreaterThanOrEqual(PLUS_S - 420 + 100);
    call.say(900);
    await call.hearOut();
    await goOn(90);
    call.say(900);
    await call.hearOut();
    await goOn(120);
    expect(call.all('quota')).toEqual([
      { type: 'quota', remainingS: 300 },
      { type: 'quota', remainingS: 60 },
    ]);
    call.tell({ type: 'end' });
    await call.closed;
  });

  it('ends with a goodbye, when the line that is being said was heard', async () => {
    const { script } = home.twin;
    script.says({ text: 'A last long question?', audioMs: 600 }, { text: 'We must stop here. Goodbye!', audioMs: 200 });
    await home.use(PLUS_S - 40);
    const call = await home.begin();
    await call.next('coachStarted');
    home.server.pass(40_000);
    expect(await call.next('quota')).toEqual({ type: 'quota', remainingS: 0 });
    const first = await call.next('coachEnded', 3_000);
    expect(first).toMatchObject({ text: 'A last long question?', wasCut: false, isGoodbye: false });
    const goodbye = await call.next('coachEnded', 3_000);
    expect(goodbye).toMatchObject({ text: 'We must stop here. Goodbye!', isGoodbye: true });
    expect(await call.next('over')).toEqual({ type: 'over', reason: 'quota' });
    expect(await call.closed).toBe(1000);
    const asked = home.provider().received.filter(({ type }) => type === 'response.create');
    expect(JSON.stringify(asked.at(-1))).toContain('This is your last answer');
    // The goodbye is not counted.
    await eventually(async () => (await liveSeconds()) <= PLUS_S);
  });

  it('waits for the learner’s turn to be over, and answers it with the goodbye', async () => {
    home.twin.script.says('Good morning.', { text: 'Goodbye!', audioMs: 100 });
    await home.use(PLUS_S - 40);
    const call = await home.begin();
    await call.hearOut();
    call.say(2_000);
    home.server.pass(40_000);
    await call.next('learnerSaid');
    await call.next('quota');
    for (;;) {
      const ended = await call.hearOut();
      if (ended.isGoodbye) break;
    }
    expect((await call.next('over')).reason).toBe('quota');
  });

  it('is over a minute later, whatever is being said', async () => {
    home.twin.script.says({ text: 'On and on.', audioMs: 60_000 });
    await home.use(PLUS_S - 40);
    const call = await home.begin();
    await call.next('coachStarted');
    home.server.pass(40_000);
    await call.next('quota');
    home.server.pass(59_000);
    await pause(50);
    expect(call.all('over')).toEqual([]);
    home.server.pass(1_000);
    expect((await call.next('over')).reason).toBe('quota');
    await call.closed;
    await eventually(() => home.provider().state === 'closed');
  });

  it('may be more by then: whoever upgrades goes on', async () => {
    await home.use(PLUS_S - 40);
    const call = await home.begin();
    await call.hearOut();
    home.plan.now = 'PRO';
    home.server.pass(40_000);
    await eventually(async () => ((await home.leases())[0]?.expiresAt.getTime() ?? 0) > home.server.now().getTime());
    await pause(50);
    expect(call.all('quota')).toEqual([]);
    call.tell({ type: 'end' });
    await call.closed;
  });

  it.each([
    ['is none on a free plan', 'FREE', 'quota.out'],
    ['is there on trial', 'TRIALING', null],
  ] as const)('%s', async (_what, plan, code) => {
    home.plan.now = plan;
    const call = await home.begin();
    expect(call.all('failed')).toEqual(code === null ? [] : [{ type: 'failed', code }]);
    if (code === null) call.tell({ type: 'end' });
    await call.closed;
  });

  it('is not all spent at a stretch: after 55 minutes the coach says goodbye', async () => {
    home.plan.now = 'PRO';
    home.twin.script.says('Good morning.', { text: 'Let us stop here. Goodbye!', audioMs: 100 });
    const call = await home.begin();
    await call.hearOut();
    home.server.pass(55 * 60_000);
    expect(await call.hearOut()).toMatchObject({ text: 'Let us stop here. Goodbye!', isGoodbye: true });
    expect((await call.next('over')).reason).toBe('limit');
    await call.closed;
  });

  it('is not spent by somebody who has left the room', async () => {
    const call = await home.begin();
    await call.hearOut();
    await goOn(170);
    expect(call.all('over')).toEqual([]);
    await goOn(10);
    expect((await call.next('over')).reason).toBe('idle');
    // Nothing was said: nothing is counted.
    await eventually(async () => (await liveSeconds()) === 0);
  });
});

describe('a conversation on two devices', () => {
  const ended = async (call: RealtimeCall): Promise<unknown> => {
    await call.closed;
    return call.messages.at(-1);
  };

  it('is refused on the second, and left alone on the first', async () => {
    const laptop = await home.begin();
    const phone = await home.begin({}, home.phone);
    expect(await ended(phone)).toEqual({ type: 'failed', code: 'live.elsewhere' });
    home.server.pass(5_000);
    await pause(50);
    expect(laptop.all('failed')).toEqual([]);
    laptop.tell({ type: 'end' });
    await laptop.closed;
  });

  it('moves to the second where the learner wishes so', async () => {
    const laptop = await home.begin();
    const provider = home.provider();
    const phone = await home.begin({ takeOver: true }, home.phone);
    expect(phone.all('ready')).toHaveLength(1);
    home.server.pass(3_000);
    expect(await ended(laptop)).toEqual({ type: 'failed', code: 'live.elsewhere' });
    await eventually(() => provider.state === 'closed');
    // The first one's end takes nothing from the second.
    expect((await home.leases()).map(({ deviceId }) => deviceId)).toEqual([home.phone.deviceId]);
    phone.tell({ type: 'end' });
    await phone.closed;
  });

  it('of two learners are two', async () => {
    const call = await home.begin();
    const other = await home.begin({}, home.stranger);
    expect(other.all('ready')).toHaveLength(1);
    for (const one of [call, other]) one.tell({ type: 'end' });
    await Promise.all([call.closed, other.closed]);
  });

  it('ends for a device that is signed out, with the minute', async () => {
    const phone = await home.begin({}, home.phone);
    await home.laptop.revoke(home.phone.deviceId);
    home.server.pass(50_000);
    expect(await ended(phone)).toEqual({ type: 'failed', code: 'auth.device_revoked' });
  });
});

describe('a conversation that breaks off', () => {
  it.each([
    ['is cut', { does: 'cut', afterMs: 300 }, 'unreachable'],
    ['falls silent', { does: 'fall_silent', afterMs: 300 }, 'unreachable'],
    ['sends nonsense', { does: 'garble', afterMs: 300 }, 'malformed'],
  ] as const)('when the provider %s: nothing is counted', async (_what, goesWrong, detail) => {
    home.twin.script.says('Good morning.', { text: 'An answer that never ends.', audioMs: 3_000, goesWrong });
    const call = await home.begin();
    await call.hearOut();
    call.say(1_000);
    home.server.pass(30_000);
    expect(await call.next('failed', 4_000)).toEqual({ type: 'failed', code: 'coach.unavailable', data: { detail } });
    expect(await call.closed).toBe(1011);
    await eventually(async () => (await home.leases()).length === 0);
    expect(await liveSeconds()).toBe(0);
  });

  it.each([
    [{ does: 'reject', status: 401 }, 'coach.misconfigured'],
    [{ does: 'reject', status: 429, code: 'insufficient_quota' }, 'coach.busy'],
    [{ does: 'refuse_session', code: 'invalid_value' }, 'coach.unavailable'],
  ] as const)('before it began, when the provider says %j', async (refusal, code) => {
    home.twin.script.refuses(refusal, refusal, refusal);
    const call = await home.begin();
    expect(call.messages).toMatchObject([{ type: 'failed', code }]);
    await eventually(async () => (await home.leases()).length === 0);
  });

  it('when the device vanishes: the provider is hung up and the minute given back', async () => {
    home.twin.script.says('Good morning.', { text: 'A long answer to nobody.', audioMs: 5_000 });
    const call = await home.begin();
    await call.hearOut();
    call.say(5_000);
    await call.next('coachStarted');
    home.server.pass(20_000);
    call.vanish();
    await eventually(() => home.provider().state === 'closed');
    await eventually(async () => (await home.leases()).length === 0);
    // Five seconds of speech are too few to count; what the answer to nobody took is paid all the same.
    expect(await liveSeconds()).toBe(0);
    expect((await home.ledger()).filter(({ use }) => use === 'reply')).toHaveLength(2);
  });

  it('and is taken up again before the old line is known to be dead', async () => {
    const { held } = aBegin(home.ids);
    const old = await home.begin({ held });
    await old.hearOut();
    const provider = home.provider();
    old.socket.pause();
    const call = await home.begin({ held });
    expect(call.all('ready')).toHaveLength(1);
    await eventually(() => provider.state === 'closed');
    home.server.pass(5_000);
    await pause(50);
    expect(call.all('failed')).toEqual([]);
    expect(await home.leases()).toHaveLength(1);
    old.vanish();
    call.tell({ type: 'end' });
    await call.closed;
  });

  it('gives signs of life while it lives, so that the time after its server died is not counted', async () => {
    const call = await home.begin();
    await call.hearOut();
    home.server.pass(20_000);
    await eventually(async () => (await home.leases())[0]?.seenAt?.getTime() === home.server.now().getTime());
    call.tell({ type: 'end' });
    await call.closed;
  });

  it('also where the old line’s end, on another node, gives the minute back', async () => {
    const { held } = aBegin(home.ids);
    const call = await home.begin({ held });
    await home.forgetLease();
    home.server.pass(5_000);
    await eventually(async () => (await home.leases()).length === 1);
    expect(call.all('failed')).toEqual([]);
    call.tell({ type: 'end' });
    await call.closed;
  });

  it('when the device vanishes while it is being set up', async () => {
    home.twin.script.refuses({ does: 'fall_silent' });
    const call = await home.call();
    call.tell(aBegin(home.ids));
    await eventually(async () => (await home.leases()).length === 1);
    call.vanish();
    await eventually(async () => (await home.leases()).length === 0);
  });
});
