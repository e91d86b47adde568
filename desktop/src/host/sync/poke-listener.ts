/** Listens for pokes (notices to pull, which may include the rows) over a stream that reconnects when it breaks. */
import { Poke, PokeWithRows } from '@parley/contract';
import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs, type ServerClient, toFailure } from '../server/index.ts';

export interface PokeListener {
  /** Opens the stream unless it is open. `again` reopens it after signing in to another account. */
  start: (options?: { again: boolean }) => void;
  close: () => Promise<void>;
}

export interface PokeListenerOptions {
  client: ServerClient;
  onPoke: (poke: PokeWithRows) => void;
  /** Called when an open stream breaks. */
  onDisconnect: () => void;
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
        for await (const poke of await options.client.sync.pokes({}, { signal, context: { wantsPokeRows: true } })) {
          wasOpen = true;
          failures = 0;
          options.onPoke(readPoke(poke));
        }
      } catch (error) {
        if (SIGNED_OUT.includes(toFailure(error).code)) break;
      }
      if (signal.aborted) break;
      if (wasOpen) options.onDisconnect();
      failures += 1;
      const { chance, longestMs } = options;
      await wait(backoffMs(failures, { chance, longestMs }), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    start({ again } = { again: false }) {
      if (current !== null && !again) return;
      current?.abort();
      const ownStream = new AbortController();
      current = ownStream;
      listening = listen(ownStream).finally(() => {
        if (current === ownStream) current = null;
      });
    },
    async close() {
      current?.abort();
      await listening;
    },
  };
}

/** Rows that cannot be read are pulled. */
function readPoke(sent: Poke): PokeWithRows {
  const poke = PokeWithRows.safeParse(sent);
  return poke.success ? poke.data : Poke.parse({ user: sent.user, catalogue: sent.catalogue });
}
