/**
 * Ollama's way of keeping a model in memory: not a byte is sent until it is loaded, the load is given up when the client that asked for it goes
 * away, and a model that was not asked for a while is unloaded.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface LoadOptions {
  /** From the first question to the first byte; tens of seconds on a real machine. */
  loadMs: number;
  /** Unloads a model that was idle for so long; five minutes in Ollama. */
  keepAliveMs: number;
  now?: () => number;
}

export interface ModelLoader {
  /** Resolves when the model is in memory; rejects when the client goes away first. */
  loaded: (signal: AbortSignal) => Promise<void>;
  /** How often a load was begun, and how often it was given up. */
  counts: { begun: number; givenUp: number };
}

export function createModelLoader({ loadMs, keepAliveMs, now = () => performance.now() }: LoadOptions): ModelLoader {
  const counts = { begun: 0, givenUp: 0 };
  let usedAtMs = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | null = null;

  async function load(signal: AbortSignal): Promise<void> {
    counts.begun += 1;
    try {
      await sleep(loadMs, undefined, { signal });
    } catch (error) {
      counts.givenUp += 1;
      throw error;
    } finally {
      loading = null;
    }
    usedAtMs = now();
  }

  const loaded = async (signal: AbortSignal): Promise<void> => {
    if (loadMs === 0 || now() - usedAtMs < keepAliveMs) {
      usedAtMs = now();
      return;
    }
    loading ??= load(signal);
    // A load that another client gave up is begun again for this one.
    await loading.catch(() => {
      signal.throwIfAborted();
      return loaded(signal);
    });
  };
  return { loaded, counts };
}
