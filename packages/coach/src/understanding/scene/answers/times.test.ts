/** Times of day: alone, with a day, and where a day is asked for. */
import { describe, expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

const APPOINTMENT = 'Make an appointment';

describe('a time of day', { timeout: 60_000 }, () => {
  it.each(['at ten in morning', 'At eleven in the morning, please.', 'three in the afternoon', '14:15'])(
    'is not contradicted by the coach: %s',
    (said) => {
      const { coach, objectives } = answerAt(APPOINTMENT, 'time', said);
      expect(coach).not.toMatch(/nine|half past|two o'clock|quarter/);
      expect(objectives).toEqual(['when']);
    },
  );

  it.each(['Next Tuesday around 9', 'next tuesday about half past 2 if thats ok'])(
    'that is named with the day is not asked for again: %s',
    (said) => {
      const { coach, reply, objectives } = answerAt(APPOINTMENT, 'day', said);
      expect(coach).not.toContain('What time');
      expect({ reply, objectives }).toEqual({ reply: 'gone', objectives: ['when'] });
    },
  );

  it('is still asked for after a day alone', () => {
    expect(answerAt(APPOINTMENT, 'day', 'On Thursday, please').reply).toBe('time');
  });

  it.each([
    [APPOINTMENT, 'day'],
    ['Explain a delay to a client', 'new-date'],
  ])('does not answer a question about the day: %s', (title, node) => {
    const { coach, reply, objectives } = answerAt(title, node, 'At ten in the morning');
    expect({ reply, objectives }).toEqual({ reply: null, objectives: [] });
    expect(coach).toMatch(/time/);
  });
});
