/** Limits how long a learner waits for the coach. */

export interface Timeouts {
  /** Limit for the first chunk of an answer. */
  firstByteMs: number;
  /** Limit between two chunks. */
  silenceMs: number;
  /** Limit for all pauses of one request together. */
  maxRetryWaitMs: number;
  /** First pause when the provider names none; each further pause is twice as long. */
  backoffMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  firstByteMs: 10_000,
  silenceMs: 15_000,
  maxRetryWaitMs: 4_000,
  backoffMs: 250,
};

/**
 * A self-hosted server sends nothing while it loads a model, which takes minutes for a large one. Ollama stops loading when the client
 * disconnects, so a client with a short limit that retries would never get an answer.
 */
export const SELF_HOSTED_TIMEOUTS: Timeouts = { ...DEFAULT_TIMEOUTS, firstByteMs: 300_000 };
