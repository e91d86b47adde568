import { describe, expect, it } from 'vitest';
import { transcriptionCostMicros, speechSynthesisCostMicros, tokenCostMicros } from './prices.ts';

describe('token costs', () => {
  const used = { input: 1_000, cached: 400, output: 100 };

  it('distinguish new input, cached input and output', () => {
    // 600 x 0.25 + 400 x 0.025 + 100 x 2.
    expect(tokenCostMicros('gpt-5-mini', used)).toBe(360);
    expect(tokenCostMicros('gpt-5-mini-2025-08-07', used)).toBe(360);
  });

  it.each(['gpt-5.9-pro', 'gpt-5.9', 'gpt-5-mini-turbo', 'something-new', ''])(
    'of the unknown model %j are at least those of every known model',
    (model) => {
      for (const known of ['gpt-5.5-pro', 'gpt-5-pro', 'gpt-4o', 'gpt-5.4-nano'])
        expect(tokenCostMicros(model, used)).toBeGreaterThanOrEqual(tokenCostMicros(known, used));
    },
  );

  it('count cache writes higher than other input', () => {
    expect(tokenCostMicros('gpt-5.4', { ...used, cacheWrite: 600 })).toBeGreaterThan(tokenCostMicros('gpt-5.4', used));
  });

  it('follow the price of the model', () => {
    expect(tokenCostMicros('gpt-5-pro-2025-10-06', used)).toBe(27_000);
  });
});

describe('audio costs', () => {
  it('of Azure transcription are a dollar an hour, and more with scoring', () => {
    expect(transcriptionCostMicros('azure', { seconds: 3_600, isScored: false })).toBeCloseTo(1_000_000, -4);
    expect(transcriptionCostMicros('azure', { seconds: 3_600, isScored: true })).toBeCloseTo(1_300_000, -4);
    expect(transcriptionCostMicros('gpt-4o-mini-transcribe', { seconds: 60, isScored: false })).toBe(6_000);
  });

  it('of speech synthesis are counted per character', () => {
    expect(speechSynthesisCostMicros('gpt-4o-mini-tts', 'Good morning.')).toBe(195);
    expect(speechSynthesisCostMicros('tts-1-hd', 'Good morning.')).toBe(390);
    expect(speechSynthesisCostMicros('azure', 'Good morning.')).toBeGreaterThan(195);
  });
});
