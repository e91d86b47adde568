/** Sends pokes with the current versions, and the rows of small pushes, to the listening devices of this node. */
import type { Poke, PokeRows, PokeWithRows } from '@parley/contract';
import { createFairPlaces, type Place } from '../../fair-places.ts';

/** The rows that a push has written, and the other devices that may receive them. */
export interface PushedRows {
  rows: PokeRows;
  readers: ReadonlySet<string>;
}

export interface ListeningDevice {
  userId: string;
  deviceId: string;
  /** The network to which it belongs, for sharing this node's listeners fairly. */
  network: string;
  /** Whether it wants the new rows with each poke. */
  wantsRows: boolean;
  /** Checked again whenever a notice that it was signed out may have been missed. */
  isSignedIn: () => Promise<boolean>;
}

export interface PokeHub {
  /**
   * Whether another listener can be accepted. When all places are taken, one whose network holds fewer than others
   * takes the place of one of theirs.
   */
  hasPlaceFor: (device: Pick<ListeningDevice, 'userId' | 'network'>) => boolean;
  /** Yields the latest versions until the signal aborts, the device is signed out or its place is needed for others. */
  listen: (device: ListeningDevice, signal: AbortSignal) => AsyncGenerator<PokeWithRows>;
  /** Pokes the devices of a learner whose scope has a new version. */
  pokeLearner: (userId: string, version: number, pushed?: PushedRows) => void;
  /** Whether a device other than the pushing one listens here and wants rows. */
  wantsRows: (pushing: { userId: string; deviceId: string }) => boolean;
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

interface Listener extends ListeningDevice {
  pendingPoke: PokeWithRows | null;
  /** The versions in its last poke. A device regards those in the latest poke as current, so they never decrease. */
  told: Poke;
  needsRefresh: boolean;
  wake: () => void;
  isOver: boolean;
  place: Place | null;
}

export type ReadScopes = (userId: string) => Promise<Poke>;

export function createPokeHub(
  readScopes: ReadScopes,
  { maxListeners = Number.POSITIVE_INFINITY }: { maxListeners?: number } = {},
): PokeHub {
  const places = createFairPlaces(maxListeners);
  const listenersByUser = new Map<string, Set<Listener>>();
  let catalogue = 0;

  function queuePoke(listener: Listener, news: Partial<PokeWithRows>): void {
    const { pendingPoke } = listener;
    const before = pendingPoke ?? listener.told;
    const { user = 0 } = news;
    // A slow reader buffers the rows of one push at most; when pokes are combined, the device pulls.
    const rows = pendingPoke === null && user > before.user ? news.rows : undefined;
    listener.pendingPoke = {
      user: Math.max(before.user, user),
      catalogue: Math.max(before.catalogue, news.catalogue ?? catalogue),
      ...(rows === undefined ? {} : { rows }),
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
      remove(oldest);
      end(oldest);
    }
    listener.place = places.take({ network: listener.network, account: listener.userId }, () => {
      remove(listener);
      end(listener);
    });
    if (listener.place === null) end(listener);
  }

  function remove(listener: Listener): void {
    listener.place?.release();
    const listeners = listenersByUser.get(listener.userId);
    listeners?.delete(listener);
    if (listeners?.size === 0) listenersByUser.delete(listener.userId);
  }

  return {
    hasPlaceFor: ({ userId, network }) =>
      (listenersByUser.get(userId)?.size ?? 0) >= LISTENERS_PER_ACCOUNT ||
      places.hasPlaceFor({ network, account: userId }),
    async *listen(device, signal) {
      const { userId, isSignedIn } = device;
      const listener: Listener = {
        ...device,
        pendingPoke: null,
        told: { user: 0, catalogue },
        needsRefresh: true,
        wake: () => undefined,
        isOver: false,
        place: null,
      };
      const stop = (): void => end(listener);
      signal.addEventListener('abort', stop);
      // The listener is registered before the first read, so that a change in between is reported twice rather than never.
      add(listener);
      try {
        while (!listener.isOver && !signal.aborted) {
          if (listener.needsRefresh) {
            listener.needsRefresh = false;
            if (!(await isSignedIn())) return;
            const now = await readScopes(userId);
            catalogue = Math.max(catalogue, now.catalogue);
            queuePoke(listener, now);
          }
          const { pendingPoke } = listener;
          listener.pendingPoke = null;
          if (pendingPoke !== null) {
            listener.told = { user: pendingPoke.user, catalogue: pendingPoke.catalogue };
            yield pendingPoke;
          } else
            await new Promise<void>((resolve) => {
              listener.wake = resolve;
            });
        }
      } finally {
        signal.removeEventListener('abort', stop);
        remove(listener);
      }
    },
    pokeLearner(userId, version, pushed) {
      for (const listener of listenersByUser.get(userId) ?? []) {
        const rows = listener.wantsRows && pushed?.readers.has(listener.deviceId) === true ? pushed.rows : undefined;
        queuePoke(listener, { user: version, ...(rows === undefined ? {} : { rows }) });
      }
    },
    wantsRows: ({ userId, deviceId }) =>
      [...(listenersByUser.get(userId) ?? [])].some((listener) => listener.wantsRows && listener.deviceId !== deviceId),
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
