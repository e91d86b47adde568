/** Sends pokes with the current versions to the listening devices of this node. */
import type { Poke } from '@parley/contract';

export interface PokeHub {
  /** Yields the latest versions until the signal aborts or the device is signed out. */
  listen: (device: { userId: string; deviceId: string }, signal: AbortSignal) => AsyncGenerator<Poke>;
  /** Pokes the devices of a learner whose scope has a new version. */
  pokeLearner: (userId: string, version: number) => void;
  pokeCatalogue: (version: number) => void;
  /** Ends the poke stream of a device. */
  disconnectDevice: (deviceId: string) => void;
  /** Reads all listeners' versions again, because a notification may have been lost. */
  refreshAll: () => void;
  listeners: () => number;
  /** Ends all listeners because the server is closing. */
  close: () => void;
}

const LISTENERS_PER_ACCOUNT = 64;

interface Listener {
  userId: string;
  deviceId: string;
  pendingPoke: Poke | null;
  needsRefresh: boolean;
  wake: () => void;
  isOver: boolean;
}

export type ReadScopes = (userId: string) => Promise<Poke>;

export function createPokeHub(readScopes: ReadScopes): PokeHub {
  const listenersByUser = new Map<string, Set<Listener>>();
  let catalogue = 0;

  function queuePoke(listener: Listener, news: Partial<Poke>): void {
    const before = listener.pendingPoke ?? { user: 0, catalogue };
    listener.pendingPoke = {
      user: Math.max(before.user, news.user ?? 0),
      catalogue: Math.max(before.catalogue, news.catalogue ?? 0),
    };
    listener.wake();
  }

  function end(listener: Listener): void {
    listener.isOver = true;
    listener.wake();
  }

  const allListeners = function* (): Generator<Listener> {
    for (const listeners of listenersByUser.values()) yield* listeners;
  };

  function add(listener: Listener): void {
    const listeners = listenersByUser.get(listener.userId) ?? new Set();
    listenersByUser.set(listener.userId, listeners.add(listener));
    // A reconnecting device may listen again before the server notices that its old connection is dead.
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
        pendingPoke: null,
        needsRefresh: true,
        wake: () => undefined,
        isOver: false,
      };
      const stop = (): void => end(listener);
      signal.addEventListener('abort', stop);
      // The listener is registered before the first read, so that a change in between is reported twice rather than never.
      add(listener);
      try {
        while (!listener.isOver && !signal.aborted) {
          if (listener.needsRefresh) {
            listener.needsRefresh = false;
            const now = await readScopes(userId);
            catalogue = Math.max(catalogue, now.catalogue);
            queuePoke(listener, now);
          }
          const { pendingPoke } = listener;
          listener.pendingPoke = null;
          if (pendingPoke !== null) yield pendingPoke;
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
    pokeLearner(userId, version) {
      for (const listener of listenersByUser.get(userId) ?? []) queuePoke(listener, { user: version });
    },
    pokeCatalogue(version) {
      catalogue = Math.max(catalogue, version);
      for (const listener of allListeners()) queuePoke(listener, { catalogue: version });
    },
    disconnectDevice(deviceId) {
      for (const listener of allListeners()) if (listener.deviceId === deviceId) end(listener);
    },
    refreshAll() {
      for (const listener of allListeners()) {
        listener.needsRefresh = true;
        listener.wake();
      }
    },
    listeners: () => [...allListeners()].length,
    close() {
      for (const listener of allListeners()) end(listener);
    },
  };
}
