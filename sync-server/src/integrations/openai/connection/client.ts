/** Creates the OpenAI client with our own retries, logging and configuration instead of its defaults. */
import { OpenAI } from 'openai';
import type { Timeouts } from './timeouts.ts';

export interface OpenAiAccess {
  /** Empty for a self-hosted server that needs no key. */
  apiKey: string;
  /** Includes `/v1`; null means OpenAI itself. */
  baseUrl: string | null;
  /** The provider's model name. */
  model: string;
  timeouts?: Partial<Timeouts>;
  fetch?: typeof globalThis.fetch;
}

export const createOpenAiClient = ({ apiKey, baseUrl, fetch }: OpenAiAccess): OpenAI =>
  new OpenAI({
    // The client requires a key, which Ollama ignores.
    apiKey: apiKey === '' ? 'none' : apiKey,
    baseURL: baseUrl,
    // Null prevents the client from reading the environment, which is read in one place only.
    adminAPIKey: null,
    organization: null,
    project: null,
    // The client's own retries wait up to a minute and would not know that text has already reached a learner.
    maxRetries: 0,
    // The client's log contains what a learner said.
    logLevel: 'off',
    ...(fetch === undefined ? {} : { fetch }),
  });
