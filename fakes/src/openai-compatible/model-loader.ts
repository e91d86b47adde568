/**
 * Keeps a model in memory as Ollama does: no byte is sent until it is loaded, loading stops when the requesting client disconnects, and
 * an idle model is unloaded.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface LoadOptions {
  /** Duration from the first request to the first byte; tens of seconds on a real machine. */
  loadMs: number;
  /** Unloads a model after this idle time; five minutes in Ollama. */
  keepAliveMs: number;
  now?: () => number;
}

export interface ModelLoader {
  /** Resolves when the model is in memory; rejects when the client disconnects first. */
  loaded: (signal: AbortSignal) => Promise<void>;
  /** Number of loads that were started and that were aborted. */
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
    // A load that was aborted by another client starts again for this one.
    await loading.catch(() => {
      signal.throwIfAborted();
      return loaded(signal);
    });
  };
  return { loaded, counts };
}
