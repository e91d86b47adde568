/** Hears from the server when there is something to pull, over one line that is opened again whenever it breaks. */
import type { Poke } from '@parley/contract';
import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs } from './backoff.ts';
import { failureOf, type ServerClient } from './server-client.ts';

export interface PokeListener {
  /** Opens the line unless it is open; after signing in to another account, under the new name. */
  start: (options?: { again: boolean }) => void;
  close: () => Promise<void>;
}

export interface PokeListenerOptions {
  client: ServerClient;
  onPoke: (poke: Poke) => void;
  /** The line that was open is not any more. */
  onBreak: () => void;
  chance: () => number;
  longestMs: number;
}

const SIGNED_OUT: readonly string[] = ['auth.required', 'auth.device_revoked', 'auth.forbidden'];

export function createPokeListener(options: PokeListenerOptions): PokeListener {
  let current: AbortController | null = null;
  let listening: Promise<void> = Promise.resolve();

  async function listen({ signal }: AbortController): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      let wasOpen = false;
      try {
        for await (const poke of await options.client.sync.pokes({}, { signal })) {
          wasOpen = true;
          failures = 0;
          options.onPoke(poke);
        }
      } catch (error) {
        if (SIGNED_OUT.includes(failureOf(error).code)) break;
      }
      if (signal.aborted) break;
      if (wasOpen) options.onBreak();
      failures += 1;
      const { chance, longestMs } = options;
      await wait(backoffMs(failures, { chance, longestMs }), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    start({ again } = { again: false }) {
      if (current !== null && !again) return;
      current?.abort();
      const mine = new AbortController();
      current = mine;
      listening = listen(mine).finally(() => {
        if (current === mine) current = null;
      });
    },
    async close() {
      current?.abort();
      await listening;
    },
  };
}
