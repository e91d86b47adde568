import { LinkCode, type ProgressView } from '@parley/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  aClock,
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  openHost,
  recordTurn,
  voiceLikePcm,
} from '../test-kit/open-host.ts';
import { damageTable } from '../test-kit/read-database.ts';
import { LATE_DELIVERY } from '../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 86_400_000;

const opened: OpenHost[] = [];
async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map(({ host }) => host.close()));
}
afterEach(() => closeAll());

async function device(options: Partial<Parameters<typeof openHost>[0]> = {}) {
  const clock = aClock('2026-11-18T10:00:00.000Z');
  const scorer = aScriptedScorer({ assess: (text) => anAssessment(text, () => 40) });
  const one = await openHost({ scorer, clock, ...options });
  opened.push(one);
  return { ...one, clock };
}
type Device = Awaited<ReturnType<typeof device>>;

/** A spoken practice of three minutes. */
async function practise({ ask, clock }: Device) {
  const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'audio' } as const;
  const { sessionId } = await ask.practice.start(start);
  const { turnId } = await recordTurn(ask, sessionId);
  await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
  clock.pass(3 * MINUTE_MS);
  await ask.practice.sendTurn({ sessionId, turnId });
  await ask.practice.finish({ sessionId });
  return sessionId;
}

async function drill({ ask }: Device, text: string): Promise<void> {
  const { turnId } = await ask.drill.begin({ text, other: null, source: 'drill' });
  await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(1_000)]) });
  await ask.drill.finish({ turnId });
}

const overview = ({ ask }: Pick<Device, 'ask'>, range: 'week' | 'month' | 'all' = 'all'): Promise<ProgressView> =>
  ask.progress.overview({ range });

describe('progress', () => {
  it('is empty before the first practice, without invented scores', async () => {
    const view = await overview(await device());
    expect(view.totals).toEqual({ practices: 0, minutes: 0, wordsLearned: 0, since: null });
    expect(view.trends.accuracy).toEqual({ points: [], inRange: 0, measured: 0, latest: null, began: null });
    expect(view.sounds).toEqual([]);
    expect(view.days.every(({ minutes, words }) => minutes === 0 && words === 0)).toBe(true);
  });

  it('has a point with its session, its minutes and each sound’s attempts', async () => {
    const one = await device();
    const sessionId = await practise(one);
    const { dimensions } = await one.ask.practice.result({ sessionId });
    const view = await overview(one);
    expect(view.totals).toMatchObject({ practices: 1, since: '2026-11-18' });
    expect(view.totals.minutes).toBeGreaterThan(0);
    expect(view.trends.accuracy).toMatchObject({ measured: 1, latest: dimensions.accuracy, began: null });
    expect(view.trends.accuracy.points).toMatchObject([{ sessionId, score: dimensions.accuracy }]);
    expect(view.days.at(-1)).toMatchObject({ day: '2026-11-18', minutes: view.totals.minutes });
    expect(view.weeks.at(-1)).toMatchObject({ monday: '2026-11-16', minutes: view.totals.minutes });
    const said = view.days.at(-1)?.words ?? 0;
    expect(said).toBeGreaterThan(0);
    expect(view.sounds).toMatchObject([{ sound: 'l', accuracy: 40, attempts: said, total: said, began: null }]);
    expect(view.sounds[0]?.examples).toHaveLength(2);
    const rows = await one.ask.progress.sessions({ range: 'all' });
    expect(rows).toMatchObject([
      {
        sessionId,
        minutes: view.totals.minutes,
        scores: { accuracy: dimensions.accuracy },
        pron: dimensions.pron,
        words: dimensions.words,
      },
    ]);
  });

  it('leaves a written session without a point, not with a zero', async () => {
    const { ask } = await device();
    const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' } as const;
    const { sessionId } = await ask.practice.start(start);
    await ask.practice.sendTyped({ sessionId, text: 'The delivery is two days late.', hintLevel: 0 });
    await ask.practice.finish({ sessionId });
    const view = await overview({ ask });
    expect(view.totals.practices).toBe(1);
    expect(view.trends.accuracy).toMatchObject({ measured: 0, latest: null });
    expect((await ask.progress.sessions({ range: 'all' }))[0]?.scores).toEqual({
      accuracy: null,
      fluency: null,
      prosody: null,
      completeness: null,
    });
  });

  it('counts days in the time zone of the learner, and keeps the range', async () => {
    const clock = aClock('2026-11-18T23:30:00.000Z');
    const one = { ...(await device({ clock, timeZone: () => 'Asia/Tokyo' })), clock };
    await practise(one);
    expect(await overview(one)).toMatchObject({ today: '2026-11-19', totals: { since: '2026-11-19' } });
    clock.pass(10 * DAY_MS);
    const week = (await overview(one, 'week')).trends.accuracy;
    // Statements about all practices do not depend on the selected range.
    expect(week).toMatchObject({ points: [], inRange: 0, measured: 1, latest: 80 });
    expect((await overview(one, 'month')).trends.accuracy).toMatchObject({ inRange: 1, measured: 1, latest: 80 });
    expect((await overview(one, 'week')).days.map(({ day }) => day)).toEqual(
      [23, 24, 25, 26, 27, 28, 29].map((day) => `2026-11-${day}`),
    );
    expect(await one.ask.progress.sessions({ range: 'week' })).toEqual([]);
  });

  it('shows the same minutes as Today, without those that are dated in the future', async () => {
    const one = await device({});
    const { ask, clock } = one;
    clock.pass(-2 * DAY_MS);
    const practiseFor = async (seconds: number) => {
      const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' } as const;
      const { sessionId } = await ask.practice.start(start);
      clock.pass((seconds - 90) * 1_000);
      await ask.practice.sendTyped({ sessionId, text: 'The delivery is two days late.', hintLevel: 0 });
      clock.pass(90_000);
      await ask.practice.finish({ sessionId });
    };
    for (let day = 1; day <= 5; day += 1) {
      await practiseFor(183);
      if (day < 5) clock.pass(DAY_MS);
    }
    // 15 minutes and 15 seconds.
    const { totals, weeks } = await overview(one);
    expect([totals.minutes, weeks.at(-1)?.minutes]).toEqual([15.3, 15.3]);
    expect((await ask.today.overview()).minutesThisWeek).toBe(15);
    for (const days of [1, 7]) {
      clock.pass(days * DAY_MS);
      await practiseFor(183);
      clock.pass(-days * DAY_MS);
    }
    expect((await overview(one)).weeks.at(-1)?.minutes).toBe(15.3);
    expect((await ask.today.overview()).minutesThisWeek).toBe(15);
    // 17 minutes and 27 seconds. Progress shows tenths of a minute; Today rounds those again, to whole minutes.
    await practiseFor(132);
    expect((await overview(one)).weeks.at(-1)?.minutes).toBe(17.5);
    expect((await ask.today.overview()).minutesThisWeek).toBe(18);
  });

  it('counts practices after a flight in the new time zone', async () => {
    let timeZone = 'Europe/Berlin';
    const clock = aClock('2026-11-18T20:00:00.000Z');
    const one = { ...(await device({ clock, timeZone: () => timeZone })), clock };
    await drill(one, 'think');
    timeZone = 'Asia/Tokyo';
    await drill(one, 'month');
    const { today, days } = await overview(one);
    expect(today).toBe('2026-11-19');
    expect(days.slice(-2)).toMatchObject([
      { day: '2026-11-18', words: 1 },
      { day: '2026-11-19', words: 1 },
    ]);
    // Both were said less than a day ago, and it is still the 19th in Tokyo.
    expect((await one.ask.today.overview()).wordsDue).toBe(2);
  });

  it('keeps the days of a journey, and the streak, after the return', async () => {
    let timeZone = 'Europe/Berlin';
    const clock = aClock('2026-11-16T19:00:00.000Z');
    const one = { ...(await device({ clock, timeZone: () => timeZone })), clock };
    await practise(one);
    timeZone = 'America/New_York';
    // On the 17th and 18th at 20:00, which is after midnight in Berlin.
    clock.pass(30 * HOUR_MS);
    await practise(one);
    clock.pass(DAY_MS);
    await practise(one);
    timeZone = 'Europe/Berlin';
    clock.pass(DAY_MS);
    const { today, days } = await overview(one);
    expect(today).toBe('2026-11-20');
    expect(days.slice(-5).map(({ day, minutes }) => [day, minutes > 0])).toEqual([
      ['2026-11-16', true],
      ['2026-11-17', true],
      ['2026-11-18', true],
      ['2026-11-19', false],
      ['2026-11-20', false],
    ]);
    clock.pass(-18 * HOUR_MS);
    expect((await overview(one)).today).toBe('2026-11-19');
    expect((await one.ask.today.overview()).streakDays).toBe(3);
  });

  it('divides a session by the days that it had where it was spoken', async () => {
    let timeZone = 'America/New_York';
    // Half past eleven in the evening there is half past five in the morning in Berlin.
    const clock = aClock('2026-11-18T04:30:00.000Z');
    const one = { ...(await device({ clock, timeZone: () => timeZone })), clock };
    const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'audio' } as const;
    const { sessionId } = await one.ask.practice.start(start);
    for (const typed of [null, 'The delivery is two days late.', null]) {
      if (typed !== null) await one.ask.practice.sendTyped({ sessionId, text: typed, hintLevel: 0 });
      else {
        const { turnId } = await recordTurn(one.ask, sessionId);
        await one.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
        await one.ask.practice.sendTurn({ sessionId, turnId });
      }
      clock.pass(HOUR_MS / 2);
    }
    await one.ask.practice.finish({ sessionId });
    const minutes = async () =>
      new Map((await overview(one)).days.filter((day) => day.minutes > 0).map((day) => [day.day, day.minutes]));
    const before = await minutes();
    expect([...before.keys()]).toEqual(['2026-11-17', '2026-11-18']);
    timeZone = 'Europe/Berlin';
    expect(await minutes()).toEqual(before);
  });

  it('counts learned words in their week', async () => {
    const one = await device();
    await drill(one, 'think');
    await one.ask.review.mark({ word: 'think', as: 'learned' });
    const view = await overview(one);
    expect(view.totals.wordsLearned).toBe(1);
    expect(view.weeks.at(-1)).toMatchObject({ monday: '2026-11-16', wordsLearned: 1 });
  });

  it('forgets a deleted session, and remembers it after undo', async () => {
    const one = await device();
    const empty = await overview(one);
    const sessionId = await practise(one);
    const before = await overview(one);
    await one.ask.history.remove({ sessionId });
    expect(await overview(one)).toEqual(empty);
    await one.ask.history.restore({ sessionId });
    expect(await overview(one)).toEqual(before);
  });

  it('is the same after a damaged database was replaced by its backup', async () => {
    const first = await device();
    await practise(first);
    await closeAll();
    const { dataDir, clock } = first;
    clock.pass(DAY_MS);
    const later = { ...(await device({ dataDir, clock })), clock };
    await later.host.whenIdle();
    await drill(later, 'month');
    const before = await overview(later);
    await closeAll();
    damageTable(dataDir, 'word_attempts');
    const restored = await device({ dataDir, clock });
    expect((await restored.ask.app.about()).restoredFrom).not.toBeNull();
    expect(await overview(restored)).toEqual(before);
  });
});

describe('the progress of two devices', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ now: () => new Date('2026-11-18T10:00:00.000Z') });
  });
  afterAll(async () => {
    await closeAll();
    await server.close();
  });

  it('is the same after a pull', async () => {
    const first = await device({ serverUrl: server.url });
    const second = await device({ serverUrl: server.url });
    await Promise.all([first.host.whenIdle(), second.host.whenIdle()]);
    const { code } = await first.ask.account.createLinkCode();
    await second.ask.account.join({ code: LinkCode.parse(code) });
    await practise(first);
    await drill(first, 'think so');
    for (const { ask } of [first, second])
      await expect.poll(() => ask.sync.run(), { timeout: 20_000 }).toMatchObject({ state: 'idle', waiting: 0 });
    expect(await overview(second)).toEqual(await overview(first));
  });
});
