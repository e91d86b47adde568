import { describe, expect, it } from 'vitest';
import { realtimeCostMicros } from './realtime-prices.ts';

const NONE = { input: 0, cached: 0, output: 0 };

describe('realtime costs', () => {
  it('depend on the kind of token, and cached ones cost less', () => {
    const used = {
      text: { input: 1_200, cached: 1_000, output: 50 },
      audio: { input: 300, cached: 100, output: 400 },
    };
    // 200 x 4 + 1,000 x 0.4 + 50 x 24, and 200 x 32 + 100 x 0.4 + 400 x 64.
    expect(realtimeCostMicros('gpt-realtime-2.1', used)).toBe(2_400 + 32_040);
  });

  it("follow the model's name without its date", () => {
    const second = { text: NONE, audio: { ...NONE, output: 20 } };
    expect(realtimeCostMicros('gpt-realtime-2.1-mini-2026-09-01', second)).toBe(400);
    expect(realtimeCostMicros('gpt-realtime-2.1', second)).toBe(1_280);
    for (const unknown of ['something-new', 'gpt-realtime-3'])
      expect(realtimeCostMicros(unknown, second)).toBeGreaterThan(1_280);
  });
});
