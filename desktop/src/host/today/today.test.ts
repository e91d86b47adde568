import { describe, expect, it } from 'vitest';
import { localDayFormatter, mondayOf } from '@parley/domain';
import { inDatabase } from '../test-kit/read-database.ts';
import { LATE_DELIVERY, LATE_REPLY, SORRY_REPLY } from '../test-kit/test-catalogue.ts';
import { aClock, openHost, startPractice } from '../test-kit/open-host.ts';

describe('local days', () => {
  it("follow the learner's time zone", () => {
    const at = new Date('2026-11-18T23:30:00Z');
    expect(localDayFormatter('Europe/Berlin')(at)).toBe('2026-11-19');
    expect(localDayFormatter('America/New_York')(at)).toBe('2026-11-18');
  });

  it('form weeks that start on Monday', () => {
    expect(['2026-11-16', '2026-11-18', '2026-11-22', '2026-11-23'].map(mondayOf)).toEqual([
      '2026-11-16',
      '2026-11-16',
      '2026-11-16',
      '2026-11-23',
    ]);
  });
});

describe('today', () => {
  it("suggests a new practice and shows this week's minutes and the streak", async () => {
    const clock = aClock('2026-11-18T10:00:00.000Z');
    const { host, ask } = await openHost({ clock });
    await ask.settings.updateProfile({ englishLevel: 'intermediate' });
    expect((await ask.today.overview()).suggested).toEqual({
      practiceId: LATE_DELIVERY,
      reason: { code: 'new_at_level' },
      firstLine: expect.stringMatching(/\w/),
    });
    expect(await ask.today.overview()).toMatchObject({ hasPractised: false });
    const { sessionId } = await startPractice(ask, 'text');
    clock.pass(120_000);
    await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    clock.pass(60_000);
    await ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
    await ask.practice.finish({ sessionId });
    expect(await ask.today.overview()).toMatchObject({
      unfinished: null,
      minutesThisWeek: 3,
      weekDays: expect.arrayContaining([{ day: expect.any(String), minutes: 3 }]),
      streakDays: 1,
      suggested: { practiceId: LATE_DELIVERY, reason: { code: 'again' } },
    });
    clock.pass(6 * 86_400_000);
    expect(await ask.today.overview()).toMatchObject({ hasPractised: true, minutesThisWeek: 0, streakDays: 0 });
    await host.close();
  });

  it('counts the day of the first turn, not the day on which the session was opened', async () => {
    const clock = aClock('2026-11-18T22:50:00.000Z');
    const { host, ask } = await openHost({ clock });
    const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' } as const;
    const { sessionId } = await ask.practice.start(start);
    // In Berlin, the first practice is ten minutes before midnight.
    clock.pass(15 * 60_000);
    await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    await ask.practice.finish({ sessionId });
    expect((await ask.today.overview()).streakDays).toBe(1);
    const { totals, days } = await ask.progress.overview({ range: 'all' });
    expect(totals.since).toBe('2026-11-19');
    expect(days.slice(-2).map(({ minutes }) => minutes)).toEqual([0, totals.minutes]);
    await host.close();
  });

  it('counts each day on which a finished session was continued', async () => {
    const clock = aClock('2026-11-17T10:00:00.000Z');
    const { host, ask } = await openHost({ clock });
    const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' } as const;
    const { sessionId } = await ask.practice.start(start);
    for (const day of [1, 2, 3]) {
      clock.pass(60_000);
      await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
      // The time was spent, so it counts at once; the day counts when the practice is finished.
      const { streakDays, minutesThisWeek } = await ask.today.overview();
      expect(streakDays).toBe(0);
      expect(minutesThisWeek).toBeGreaterThan(0);
      const today = (await ask.progress.overview({ range: 'week' })).days.at(-1);
      expect(today?.isPractised).toBe(false);
      expect(today?.minutes).toBeGreaterThan(0);
      if (day < 3) clock.pass(86_400_000);
    }
    await ask.practice.finish({ sessionId });
    expect((await ask.today.overview()).streakDays).toBe(3);
    const { totals, days } = await ask.progress.overview({ range: 'week' });
    expect(days.slice(-3).map(({ isPractised }) => isPractised)).toEqual([true, true, true]);
    const minutes = days.slice(-3).map((day) => day.minutes);
    expect(minutes.every((ofDay) => ofDay > 0)).toBe(true);
    expect(minutes.reduce((sum, ofDay) => sum + ofDay, 0)).toBeCloseTo(totals.minutes, 0);
    await host.close();
  });

  it('offers to finish a session that was left for a day', async () => {
    const clock = aClock('2026-11-18T10:00:00.000Z');
    const { host, ask } = await openHost({ clock });
    const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' } as const;
    const { sessionId } = await ask.practice.start(start);
    clock.pass(23 * 3_600_000);
    await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    clock.pass(23 * 3_600_000);
    expect((await ask.today.overview()).unfinished).toMatchObject({ sessionId, isIdle: false });
    clock.pass(3_600_000);
    expect((await ask.today.overview()).unfinished).toMatchObject({ sessionId, isIdle: true });
    await host.close();
  });

  it('repeats what the coach of an unfinished session said last, until it has been answered', async () => {
    const { host, ask } = await openHost();
    const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' } as const;
    const { sessionId, turns } = await ask.practice.start(start);
    const coachUtterance = async () => (await ask.today.overview()).unfinished?.coachUtterance;
    expect(turns).toHaveLength(1);
    expect(await coachUtterance()).toBe(turns[0]?.text);
    await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    const { turns: later } = await ask.practice.session({ sessionId });
    const last = later.at(-1);
    expect(await coachUtterance()).toBe(last?.role === 'coach' ? last.text : null);
    expect(await coachUtterance()).not.toBe(turns[0]?.text);
    await host.close();
  });

  it('does not count a session without speech until it has a transcribed answer', async () => {
    const clock = aClock('2026-11-18T10:00:00.000Z');
    const first = await openHost({ clock });
    const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' } as const;
    const { sessionId } = await first.ask.practice.start(start);
    clock.pass(60_000);
    expect(await first.ask.practice.finish({ sessionId })).toMatchObject({ status: 'completed', overall: null });
    const silent = await first.ask.today.overview();
    expect(silent).toMatchObject({ streakDays: 0, suggested: { practiceId: LATE_DELIVERY }, minutesThisWeek: 0 });
    const { totals } = await first.ask.progress.overview({ range: 'all' });
    expect(totals).toEqual({ practices: 0, minutes: 0, wordsLearned: 0, since: null });
    await first.host.close();

    // The server has turns of the session that are not here yet. One is the coach's, so another is an answer.
    inDatabase(first.dataDir, (sqlite) =>
      sqlite.exec(`INSERT INTO missing_turns (user_id, session_id, announced)
        SELECT user_id, id, 3 FROM practice_history`),
    );
    const second = await openHost({ dataDir: first.dataDir, clock });
    expect(await second.ask.today.overview()).toMatchObject({
      streakDays: 1,
      suggested: { reason: { code: 'again' } },
      minutesThisWeek: 1,
    });
    const known = await second.ask.progress.overview({ range: 'all' });
    expect(known.totals).toMatchObject({ practices: 1, minutes: 1, since: '2026-11-18' });
    expect(known.days.at(-1)).toMatchObject({ minutes: 1 });
    await second.host.close();
  });

  it('counts an answer that was left without a score', async () => {
    const clock = aClock('2026-11-18T10:00:00.000Z');
    const first = await openHost({ clock });
    const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' } as const;
    const { sessionId } = await first.ask.practice.start(start);
    await first.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    await first.host.close();
    clock.pass(7 * 86_400_000);
    const second = await openHost({ dataDir: first.dataDir, clock });
    await second.host.whenIdle();
    expect(await second.ask.practice.result({ sessionId })).toMatchObject({ status: 'completed', overall: null });
    expect((await second.ask.progress.overview({ range: 'all' })).totals.practices).toBe(1);
    await second.host.close();
  });
});
