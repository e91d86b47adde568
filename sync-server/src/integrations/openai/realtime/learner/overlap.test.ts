import { describe, expect, it } from 'vitest';
import { INTERRUPTION_MS, judgeOverlap, type Overlap, SHORT_SOUND_SILENCE_MS } from './overlap.ts';

const sound = (overrides: Partial<Overlap>): Overlap => ({
  voicedMs: 0,
  silentMs: 0,
  words: '',
  isFinal: false,
  hasRequestedCommit: false,
  ...overrides,
});

describe("a sound over the coach's speech", () => {
  it('interrupts when it is longer than any “mm-hm”', () => {
    expect(judgeOverlap(sound({ voicedMs: INTERRUPTION_MS - 20 }))).toBe('wait');
    expect(judgeOverlap(sound({ voicedMs: INTERRUPTION_MS }))).toBe('interrupt');
  });

  it('requests a transcript once when it was short and is over', () => {
    const short = { voicedMs: 400, silentMs: SHORT_SOUND_SILENCE_MS };
    expect(judgeOverlap(sound({ ...short, silentMs: SHORT_SOUND_SILENCE_MS - 20 }))).toBe('wait');
    expect(judgeOverlap(sound(short))).toBe('ask_words');
    expect(judgeOverlap(sound({ ...short, hasRequestedCommit: true }))).toBe('wait');
  });

  it.each([
    ['Mm-hm.', 'let_pass'],
    ['Yeah, right.', 'let_pass'],
    ['', 'let_pass'],
    ['Stop!', 'interrupt'],
    ['No.', 'interrupt'],
    ['Sorry?', 'interrupt'],
  ])('with transcript “%s” leads to %s', (words, verdict) =>
    expect(judgeOverlap(sound({ voicedMs: 400, words, isFinal: true }))).toBe(verdict),
  );

  it('interrupts by its first words while it lasts', () => {
    expect(judgeOverlap(sound({ voicedMs: 200, words: 'Wait' }))).toBe('interrupt');
    expect(judgeOverlap(sound({ voicedMs: 200, words: 'ye' }))).toBe('wait');
  });

  it('may last longer when its words are backchannels', () => {
    expect(judgeOverlap(sound({ voicedMs: 1_200, words: 'yeah, okay, right' }))).toBe('wait');
    expect(judgeOverlap(sound({ voicedMs: 1_700, words: 'yeah, okay, right' }))).toBe('interrupt');
  });

  it('that is not loud yet is waited for', () => {
    expect(judgeOverlap(sound({ silentMs: 5_000 }))).toBe('wait');
  });
});
