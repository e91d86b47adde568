/** How long somebody who is speaking with a coach is kept waiting. */

export interface Timeouts {
  /** Until the first piece of an answer. */
  firstByteMs: number;
  /** Between two pieces. */
  silenceMs: number;
  /** Before asking again, all pauses of one question together. */
  retryWaitMs: number;
  /** The first pause where the provider names none; each further one is twice as long. */
  backoffMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  firstByteMs: 10_000,
  silenceMs: 15_000,
  retryWaitMs: 4_000,
  backoffMs: 250,
};

/**
 * A server of one's own sends nothing while it loads a model, which takes minutes for a large one, and Ollama gives the load up when the client
 * goes away: a client that gives up early and asks again never gets an answer.
 */
export const OWN_SERVER_TIMEOUTS: Timeouts = { ...DEFAULT_TIMEOUTS, firstByteMs: 300_000 };
