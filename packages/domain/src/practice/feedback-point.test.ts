import { describe, expect, it } from 'vitest';
import { TurnId } from '../ids.ts';
import { type FeedbackPoint, readFeedbackText, storeFeedbackPoint } from './feedback-point.ts';

const turnId = TurnId.parse('019a0000-0000-7000-8000-000000000001');
const longWord = 'a'.repeat(60);
const sound: FeedbackPoint = {
  code: 'sound',
  turnId,
  startMs: 179_000,
  endMs: 179_900,
  word: longWord,
  sound: 'θ',
  heard: 't',
  score: 34,
  also: [longWord],
};

describe('a stored point', () => {
  it('comes back as it was, with the words of the coach', () => {
    expect(readFeedbackText(storeFeedbackPoint(sound))).toEqual({ point: sound, text: null });
    expect(readFeedbackText(storeFeedbackPoint(sound, 'Mind your “th”.'))).toEqual({
      point: sound,
      text: 'Mind your “th”.',
    });
  });

  it('fits its column, at the cost of the coach’s words', () => {
    const stored = storeFeedbackPoint(sound, 'x'.repeat(300));
    expect(stored.length).toBeLessThanOrEqual(400);
    expect(readFeedbackText(stored)).toEqual({ point: sound, text: null });
  });

  it('fits its column, at the cost of the last examples', () => {
    const stored = storeFeedbackPoint({ ...sound, also: [longWord, longWord, longWord] }, 'Mind your “th”.');
    expect(stored.length).toBeLessThanOrEqual(400);
    expect(readFeedbackText(stored).point).toEqual({ ...sound, also: [longWord, longWord] });
  });

  it('can be distinguished from the sentences of older versions', () => {
    for (const text of ['You spoke with a steady flow: 86 of 100.', '{not json', '']) {
      expect(readFeedbackText(text)).toEqual({ point: null, text });
    }
  });

  it('is left out when a newer version wrote it, unlike the coach’s words', () => {
    const newer = { v: 1, code: 'rhythm_of_a_newer_app', coach: 'You waited too long.' };
    expect(readFeedbackText(JSON.stringify(newer))).toEqual({ point: null, text: 'You waited too long.' });
    expect(readFeedbackText(JSON.stringify({ v: 2, code: 'sound' }))).toEqual({ point: null, text: null });
  });
});
