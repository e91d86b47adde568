/** Counts the connected windows, because the browser that shows them may not be the one that this shell has started. */
import { EventEmitter, once } from 'node:events';

export interface WindowCount {
  add(window: Pick<EventEmitter, 'once'>): void;
  hasConnected(): boolean;
  isNoneOpen(): boolean;
  /** Resolves when a window has connected and, after allowing time for a reload, none is open any more. */
  allClosed(waitForReload: () => Promise<void>): Promise<void>;
}

export function createWindowCount(): WindowCount {
  const changes = new EventEmitter();
  let connected = 0;
  let open = 0;
  const isNoneOpen = (): boolean => open === 0;
  return {
    add(window) {
      connected += 1;
      open += 1;
      changes.emit('change');
      window.once('close', () => {
        open -= 1;
        changes.emit('change');
      });
    },
    hasConnected: () => connected > 0,
    isNoneOpen,
    async allClosed(waitForReload) {
      do {
        while (connected === 0 || !isNoneOpen()) await once(changes, 'change');
        await waitForReload();
      } while (!isNoneOpen());
    },
  };
}
