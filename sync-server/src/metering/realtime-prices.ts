/** Computes what realtime sessions cost in millionths of a US dollar. Text and audio tokens have separate prices. */
import { withoutDateSuffix, type Tokens } from './prices.ts';

type Prices = Record<'text' | 'audio', Tokens>;

const FULL: Prices = {
  text: { input: 4, cached: 0.4, output: 24 },
  audio: { input: 32, cached: 0.4, output: 64 },
};
const MINI: Prices = {
  text: { input: 0.6, cached: 0.06, output: 2.4 },
  audio: { input: 10, cached: 0.3, output: 20 },
};

/** Prices from developers.openai.com/api/docs/models as of November 2026, in dollars per million tokens. */
const PRICES: Readonly<Record<string, Prices>> = {
  'gpt-realtime-2.1-mini': MINI,
  'gpt-realtime-mini': MINI,
  'gpt-realtime-2.1': FULL,
  'gpt-realtime': FULL,
};

/**
 * For a model that is not in the list: higher than all known prices, so that the spending limit never triggers late.
 */
const UNKNOWN_MODEL_PRICES: Prices = {
  text: { input: 5, cached: 5, output: 24 },
  audio: { input: 40, cached: 40, output: 80 },
};

export const hasRealtimePrice = (model: string): boolean => Object.hasOwn(PRICES, withoutDateSuffix(model));

export function realtimeCostMicros(model: string, used: { text: Tokens; audio: Tokens }): number {
  const prices = PRICES[withoutDateSuffix(model)] ?? UNKNOWN_MODEL_PRICES;
  const cost = (of: Tokens, price: Tokens): number =>
    Math.max(0, of.input - of.cached) * price.input + of.cached * price.cached + of.output * price.output;
  return Math.ceil(cost(used.text, prices.text) + cost(used.audio, prices.audio));
}

/**
 * A minute in which both speak: ten tokens per second of the learner's audio, twenty per second of the coach's, and a prompt that is read
 * without the cache.
 */
const TYPICAL_MINUTE = {
  text: { input: 3_000, cached: 0, output: 300 },
  audio: { input: 600, cached: 0, output: 1_200 },
} as const;

export const realtimeMinuteMicros = (model: string): number => realtimeCostMicros(model, TYPICAL_MINUTE);
