import { afterEach, describe, expect, it } from 'vitest';
import { localDays } from '@parley/domain';
import { LATE_DELIVERY, LATE_REPLY, SORRY_REPLY } from '../test-kit/a-catalogue.ts';
import { aClock, openHost, removeDataFolders } from '../test-kit/open-host.ts';
import { mondayOf, streakDays } from './local-days.ts';

afterEach(removeDataFolders);

describe('days', () => {
  it('are those of the learner, not of Greenwich', () => {
    const at = new Date('2026-11-18T23:30:00Z');
    expect(localDays('Europe/Berlin')(at)).toBe('2026-11-19');
    expect(localDays('America/New_York')(at)).toBe('2026-11-18');
  });

  it('make weeks from Monday', () => {
    expect(['2026-11-16', '2026-11-18', '2026-11-22', '2026-11-23'].map(mondayOf)).toEqual([
      '2026-11-16',
      '2026-11-16',
      '2026-11-16',
      '2026-11-23',
    ]);
  });

  it('in a row forgive two that were missed, and today until it is over', () => {
    const streak = (days: string[]) => streakDays(new Set(days.map((day) => `2026-11-${day}`)), '2026-11-20');
    expect(streak([])).toBe(0);
    expect(streak(['20', '19', '18'])).toBe(3);
    expect(streak(['19', '18'])).toBe(2);
    expect(streak(['20', '18', '16'])).toBe(3);
    expect(streak(['20', '16', '15'])).toBe(1);
  });
});

describe('today', () => {
  it('suggests what is new, tells the minutes of this week, and the streak', async () => {
    const clock = aClock('2026-11-18T10:00:00.000Z');
    const { host, ask } = await openHost({ clock });
    await ask.settings.updateProfile({ englishLevel: 'intermediate' });
    expect((await ask.today.overview()).suggested).toEqual({
      practiceId: LATE_DELIVERY,
      reason: 'It is written for your level, intermediate, and new to you.',
    });
    const { sessionId } = await ask.practice.start({
      practiceId: LATE_DELIVERY,
      difficulty: 'easy',
      communicationStyle: 'text',
    });
    clock.pass(120_000);
    await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    clock.pass(60_000);
    await ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
    await ask.practice.finish({ sessionId });
    expect(await ask.today.overview()).toMatchObject({
      unfinished: null,
      minutesThisWeek: 3,
      streakDays: 1,
      suggested: null,
    });
    clock.pass(6 * 86_400_000);
    expect(await ask.today.overview()).toMatchObject({ minutesThisWeek: 0, streakDays: 0 });
    await host.close();
  });
});
