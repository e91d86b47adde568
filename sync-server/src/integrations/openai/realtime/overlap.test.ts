import { describe, expect, it } from 'vitest';
import { INTERRUPTS_FROM_MS, judgeOverlap, type Overlap, SHORT_IS_OVER_MS } from './overlap.ts';

const sound = (overrides: Partial<Overlap>): Overlap => ({
  voicedMs: 0,
  silentMs: 0,
  words: '',
  isFinal: false,
  hasAsked: false,
  ...overrides,
});

describe('a sound while the coach speaks', () => {
  it('interrupts when it lasts longer than any “mm-hm”', () => {
    expect(judgeOverlap(sound({ voicedMs: INTERRUPTS_FROM_MS - 20 }))).toBe('wait');
    expect(judgeOverlap(sound({ voicedMs: INTERRUPTS_FROM_MS }))).toBe('interrupt');
  });

  it('is asked for its words, once, when it was short and is over', () => {
    const short = { voicedMs: 400, silentMs: SHORT_IS_OVER_MS };
    expect(judgeOverlap(sound({ ...short, silentMs: SHORT_IS_OVER_MS - 20 }))).toBe('wait');
    expect(judgeOverlap(sound(short))).toBe('ask_words');
    expect(judgeOverlap(sound({ ...short, hasAsked: true }))).toBe('wait');
  });

  it.each([
    ['Mm-hm.', 'let_pass'],
    ['Yeah, right.', 'let_pass'],
    ['', 'let_pass'],
    ['Stop!', 'interrupt'],
    ['No.', 'interrupt'],
    ['Sorry?', 'interrupt'],
  ])('“%s” is judged by its words: %s', (words, verdict) =>
    expect(judgeOverlap(sound({ voicedMs: 400, words, isFinal: true }))).toBe(verdict),
  );

  it('interrupts by its first words where they come while it lasts', () => {
    expect(judgeOverlap(sound({ voicedMs: 200, words: 'Wait' }))).toBe('interrupt');
    expect(judgeOverlap(sound({ voicedMs: 200, words: 'ye' }))).toBe('wait');
  });

  it('may agree at length where its words say so', () => {
    expect(judgeOverlap(sound({ voicedMs: 1_200, words: 'yeah, okay, right' }))).toBe('wait');
    expect(judgeOverlap(sound({ voicedMs: 1_700, words: 'yeah, okay, right' }))).toBe('interrupt');
  });

  it('of which nothing is loud is waited for', () => {
    expect(judgeOverlap(sound({ silentMs: 5_000 }))).toBe('wait');
  });
});
