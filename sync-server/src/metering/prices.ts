/** Computes what calls cost in millionths of a US dollar from the providers' price lists. */

interface TokenPrice {
  /** US dollars per million tokens. */
  input: number;
  cached: number;
  output: number;
}

/** When the prices here and those of realtime sessions were last compared with the providers' pages. */
export const PRICES_CHECKED_ON = '2026-06-04';

/**
 * OpenAI's prices from platform.openai.com/docs/pricing, standard tier, short context. A cached price that is not listed equals the full
 * one.
 */
const TOKEN_PRICES: Readonly<Record<string, TokenPrice>> = {
  'gpt-5.5': { input: 5, cached: 0.5, output: 30 },
  'gpt-5.5-pro': { input: 30, cached: 30, output: 180 },
  'gpt-5.4': { input: 2.5, cached: 0.25, output: 15 },
  'gpt-5.4-mini': { input: 0.75, cached: 0.075, output: 4.5 },
  'gpt-5.4-nano': { input: 0.2, cached: 0.02, output: 1.25 },
  'gpt-5.4-pro': { input: 30, cached: 30, output: 180 },
  'gpt-5.1': { input: 1.25, cached: 0.125, output: 10 },
  'gpt-5': { input: 1.25, cached: 0.125, output: 10 },
  'gpt-5-mini': { input: 0.25, cached: 0.025, output: 2 },
  'gpt-5-nano': { input: 0.05, cached: 0.005, output: 0.4 },
  'gpt-5-pro': { input: 15, cached: 15, output: 120 },
  'gpt-4.1': { input: 2, cached: 0.5, output: 8 },
  'gpt-4.1-mini': { input: 0.4, cached: 0.1, output: 1.6 },
  'gpt-4.1-nano': { input: 0.1, cached: 0.025, output: 0.4 },
  'gpt-4o': { input: 2.5, cached: 1.25, output: 10 },
  'gpt-4o-mini': { input: 0.15, cached: 0.075, output: 0.6 },
  o3: { input: 2, cached: 0.5, output: 8 },
  'o4-mini': { input: 1.1, cached: 0.275, output: 4.4 },
};

/** For a model that is not in the list: the highest of all prices, so that the spending limit never triggers late. */
const HIGHEST_PRICE: TokenPrice = {
  input: Math.max(...Object.values(TOKEN_PRICES).map(({ input }) => input)),
  cached: Math.max(...Object.values(TOKEN_PRICES).map(({ cached }) => cached)),
  output: Math.max(...Object.values(TOKEN_PRICES).map(({ output }) => output)),
};

/** OpenAI reports tokens that it wrote to its cache but lists no price for them. Other providers charge a quarter more than for input. */
const CACHE_WRITE_FACTOR = 1.25;

/** Removes the date of a pinned model version. Other suffixes belong to other models with prices of their own. */
export const withoutDateSuffix = (model: string): string => model.replace(/-\d{4}-\d{2}-\d{2}$/, '');

export const hasTokenPrice = (model: string): boolean => Object.hasOwn(TOKEN_PRICES, withoutDateSuffix(model));
const tokenPriceOf = (model: string): TokenPrice => TOKEN_PRICES[withoutDateSuffix(model)] ?? HIGHEST_PRICE;

export interface Tokens {
  input: number;
  cached: number;
  output: number;
  /** The part of the input that was written to the provider's cache. */
  cacheWrite?: number;
}

/** Dollars per million tokens equal millionths of a dollar per token. */
export function tokenCostMicros(model: string, { input, cached, output, cacheWrite = 0 }: Tokens): number {
  const price = tokenPriceOf(model);
  const fresh = Math.max(0, input - cached - cacheWrite);
  const read = fresh * price.input + cached * price.cached + cacheWrite * price.input * CACHE_WRITE_FACTOR;
  return Math.ceil(read + output * price.output);
}

const BYTES_PER_TOKEN = 4;
/** Tokens of the response schema and of what a provider adds. */
const OVERHEAD_TOKENS = 500;

/** The maximum usage of a call before it is made. One token per four bytes overestimates. */
export const estimateTokens = (texts: readonly string[], maxOutputTokens: number): Tokens => ({
  input: OVERHEAD_TOKENS + texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN), 0),
  cached: 0,
  output: maxOutputTokens,
});

/** Speech synthesis costs 15 dollars per million characters at Azure and OpenAI, except for OpenAI's HD model. */
const PER_CHARACTER_MICROS = 15;
const PER_CHARACTER_MICROS_HD = 30;

/** Azure also counts the characters of the SSML tags. */
const AZURE_TAG_CHARACTERS = '<prosody rate="+100%" pitch="+100%"></prosody>'.length;

export function speechSynthesisCostMicros(model: string, text: string): number {
  if (model === 'azure') return PER_CHARACTER_MICROS * (text.length + AZURE_TAG_CHARACTERS);
  return (model.startsWith('tts-1-hd') ? PER_CHARACTER_MICROS_HD : PER_CHARACTER_MICROS) * text.length;
}

/**
 * The price per second of transcribed audio. OpenAI charges 0.006 dollars a minute; Azure charges a dollar an hour, and 1.30 with scoring,
 * because prosody assessment is an extra with its own price.
 */
const PER_SECOND_MICROS = { openAi: 100, azure: 278, azureScored: 362 } as const;

export function transcriptionCostMicros(
  model: string,
  { seconds, isScored }: { seconds: number; isScored: boolean },
): number {
  const azure = isScored ? PER_SECOND_MICROS.azureScored : PER_SECOND_MICROS.azure;
  return Math.ceil(seconds * (model === 'azure' ? azure : PER_SECOND_MICROS.openAi));
}
