/** What calls cost, in millionths of a US dollar, by the providers' published price lists. */

interface TokenPrice {
  /** For a million tokens, in US dollars. */
  input: number;
  cached: number;
  output: number;
}

/** OpenAI's list of prices, platform.openai.com/docs/pricing, standard tier, as of November 2026. Longest name first. */
const TOKEN_PRICES: readonly [prefix: string, price: TokenPrice][] = [
  ['gpt-5-mini', { input: 0.25, cached: 0.025, output: 2 }],
  ['gpt-5-nano', { input: 0.05, cached: 0.005, output: 0.4 }],
  ['gpt-5', { input: 1.25, cached: 0.125, output: 10 }],
  ['gpt-4.1-mini', { input: 0.4, cached: 0.1, output: 1.6 }],
  ['gpt-4.1-nano', { input: 0.1, cached: 0.025, output: 0.4 }],
  ['gpt-4.1', { input: 2, cached: 0.5, output: 8 }],
  ['gpt-4o-mini', { input: 0.15, cached: 0.075, output: 0.6 }],
  ['gpt-4o', { input: 2.5, cached: 1.25, output: 10 }],
];

/** Of a model that the list does not have, the dearest that it does: a spending stop must not be too late. */
const UNKNOWN: TokenPrice = { input: 2.5, cached: 2.5, output: 10 };

export interface Tokens {
  input: number;
  cached: number;
  output: number;
}

/** A price per million tokens in dollars is a price per token in millionths. */
export function tokenCostMicros(model: string, { input, cached, output }: Tokens): number {
  const [, price] = TOKEN_PRICES.find(([prefix]) => model.startsWith(prefix)) ?? [null, UNKNOWN];
  const fresh = Math.max(0, input - cached);
  return Math.ceil(fresh * price.input + cached * price.cached + output * price.output);
}

/** Spoken: 15 dollars a million characters. */
const PER_CHARACTER_MICROS = 15;

export const spokenCostMicros = (text: string): number => PER_CHARACTER_MICROS * text.length;

/** Written down: 0.006 dollars a minute; assessed by Azure: a dollar an hour. */
const PER_SECOND_MICROS = { transcribe: 100, assess: 278 } as const;

export const speechCostMicros = (use: keyof typeof PER_SECOND_MICROS, seconds: number): number =>
  Math.ceil(PER_SECOND_MICROS[use] * seconds);
