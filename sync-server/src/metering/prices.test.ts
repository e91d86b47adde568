import { describe, expect, it } from 'vitest';
import { heardCostMicros, spokenCostMicros, tokenCostMicros } from './prices.ts';

describe('words of a model', () => {
  const used = { input: 1_000, cached: 400, output: 100 };

  it('cost by what was told anew, what was at hand and what was said', () => {
    // 600 x 0.25 + 400 x 0.025 + 100 x 2.
    expect(tokenCostMicros('gpt-5-mini', used)).toBe(360);
    expect(tokenCostMicros('gpt-5-mini-2025-08-07', used)).toBe(360);
  });

  it.each(['gpt-5.9-pro', 'gpt-5.9', 'gpt-5-mini-turbo', 'something-new', ''])(
    'of %j are not counted for less than those of the models that are known',
    (model) => {
      for (const known of ['gpt-5.5-pro', 'gpt-5-pro', 'gpt-4o', 'gpt-5.4-nano'])
        expect(tokenCostMicros(model, used)).toBeGreaterThanOrEqual(tokenCostMicros(known, used));
    },
  );

  it('that were written to the cache cost more than other input, never less', () => {
    expect(tokenCostMicros('gpt-5.4', { ...used, cacheWrite: 600 })).toBeGreaterThan(tokenCostMicros('gpt-5.4', used));
  });

  it('of a model of twelve times the price are counted so', () => {
    expect(tokenCostMicros('gpt-5-pro-2025-10-06', used)).toBe(27_000);
  });
});

describe('sound', () => {
  it('that Azure hears costs a dollar an hour, and more where it is scored', () => {
    expect(heardCostMicros('azure', { seconds: 3_600, isScored: false })).toBeCloseTo(1_000_000, -4);
    expect(heardCostMicros('azure', { seconds: 3_600, isScored: true })).toBeCloseTo(1_300_000, -4);
    expect(heardCostMicros('gpt-4o-mini-transcribe', { seconds: 60, isScored: false })).toBe(6_000);
  });

  it('that is made costs by the letter', () => {
    expect(spokenCostMicros('gpt-4o-mini-tts', 'Good morning.')).toBe(195);
    expect(spokenCostMicros('tts-1-hd', 'Good morning.')).toBe(390);
    expect(spokenCostMicros('azure', 'Good morning.')).toBeGreaterThan(195);
  });
});
