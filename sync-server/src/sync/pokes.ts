/** Tells the devices that listen where their scopes stand, on this node and, through PostgreSQL, on the others. */
import type { Poke } from '@parley/contract';

export interface PokeHub {
  /** What changes from here on, the newest only, until the signal ends it or the device is signed out. */
  listen: (device: { userId: string; deviceId: string }, signal: AbortSignal) => AsyncGenerator<Poke>;
  /** A learner's scope has moved. */
  userMoved: (userId: string, version: number) => void;
  catalogueMoved: (version: number) => void;
  /** Ends what this device hears. */
  signOut: (deviceId: string) => void;
  /** Reads where every listener's scopes stand: something may have been missed. */
  askAgain: () => void;
  listeners: () => number;
  /** Ends every listener: the server closes. */
  close: () => void;
}

const LISTENERS_PER_ACCOUNT = 64;

interface Listener {
  userId: string;
  deviceId: string;
  news: Poke | null;
  mustAsk: boolean;
  wake: () => void;
  isOver: boolean;
}

export type ReadScopes = (userId: string) => Promise<Poke>;

export function createPokeHub(readScopes: ReadScopes): PokeHub {
  const listenersByUser = new Map<string, Set<Listener>>();
  let catalogue = 0;

  function tell(listener: Listener, news: Partial<Poke>): void {
    const before = listener.news ?? { user: 0, catalogue };
    listener.news = {
      user: Math.max(before.user, news.user ?? 0),
      catalogue: Math.max(before.catalogue, news.catalogue ?? 0),
    };
    listener.wake();
  }

  function end(listener: Listener): void {
    listener.isOver = true;
    listener.wake();
  }

  const all = function* (): Generator<Listener> {
    for (const listeners of listenersByUser.values()) yield* listeners;
  };

  function add(listener: Listener): void {
    const listeners = listenersByUser.get(listener.userId) ?? new Set();
    listenersByUser.set(listener.userId, listeners.add(listener));
    // A device listens once; one that lost its connection listens again before the server knows.
    const [oldest] = listeners;
    if (listeners.size > LISTENERS_PER_ACCOUNT && oldest !== undefined) {
      listeners.delete(oldest);
      end(oldest);
    }
  }

  function remove(listener: Listener): void {
    const listeners = listenersByUser.get(listener.userId);
    listeners?.delete(listener);
    if (listeners?.size === 0) listenersByUser.delete(listener.userId);
  }

  return {
    async *listen({ userId, deviceId }, signal) {
      const listener: Listener = {
        userId,
        deviceId,
        news: null,
        mustAsk: true,
        wake: () => undefined,
        isOver: false,
      };
      const stop = (): void => end(listener);
      signal.addEventListener('abort', stop);
      // Listens before it reads: what happens between the two is told twice rather than never.
      add(listener);
      try {
        while (!listener.isOver && !signal.aborted) {
          if (listener.mustAsk) {
            listener.mustAsk = false;
            const now = await readScopes(userId);
            catalogue = Math.max(catalogue, now.catalogue);
            tell(listener, now);
          }
          const { news } = listener;
          listener.news = null;
          if (news !== null) yield news;
          else
            await new Promise<void>((resolve) => {
              listener.wake = resolve;
            });
        }
      } finally {
        signal.removeEventListener('abort', stop);
        remove(listener);
      }
    },
    userMoved(userId, version) {
      for (const listener of listenersByUser.get(userId) ?? []) tell(listener, { user: version });
    },
    catalogueMoved(version) {
      catalogue = Math.max(catalogue, version);
      for (const listener of all()) tell(listener, { catalogue: version });
    },
    signOut(deviceId) {
      for (const listener of all()) if (listener.deviceId === deviceId) end(listener);
    },
    askAgain() {
      for (const listener of all()) {
        listener.mustAsk = true;
        listener.wake();
      }
    },
    listeners: () => [...all()].length,
    close() {
      for (const listener of all()) end(listener);
    },
  };
}
