/** The provider's own client, told to leave to us what it would decide by itself. */
import { OpenAI } from 'openai';
import type { Timeouts } from './timeouts.ts';

export interface OpenAiAccess {
  /** Empty for a server of one's own that wants none. */
  apiKey: string;
  /** Up to and with `/v1`; null is OpenAI itself. */
  baseUrl: string | null;
  /** As the provider calls it. */
  model: string;
  timeouts?: Partial<Timeouts>;
  fetch?: typeof globalThis.fetch;
}

export const connectOpenAi = ({ apiKey, baseUrl, fetch }: OpenAiAccess): OpenAI =>
  new OpenAI({
    // The client wants one, and Ollama does not read it.
    apiKey: apiKey === '' ? 'none' : apiKey,
    baseURL: baseUrl,
    // Null, or it would look into the environment, which is read in one place.
    adminAPIKey: null,
    organization: null,
    project: null,
    // Its own wait up to a minute, and would not know that words already went out to a learner.
    maxRetries: 0,
    // What it logs holds what a learner said.
    logLevel: 'off',
    ...(fetch === undefined ? {} : { fetch }),
  });
