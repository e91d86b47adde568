/** Assembles a device as the host does, with a store that the test can access directly. */
import { fileURLToPath } from 'node:url';
import { uuidv7 } from 'uuidv7';
import { installBundledCatalogue } from '../../../../desktop/src/host/catalogue/index.ts';
import { openStore, type Store } from '../../../../desktop/src/host/store/index.ts';
import { createFileVault, readCredentials } from '../../../../desktop/src/host/server/index.ts';
import { completeInterruptedMove, createSync, type Sync } from '../../../../desktop/src/host/sync/index.ts';
import { seededRandom } from '../seeded-random.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../../desktop/src/host/store/migrations', import.meta.url));

/** Every other device has no recent sessions, and therefore fetches the turns of all sessions in the background. */
const ALL_IN_BACKGROUND = { recentDays: -3_650, pauseMs: 20, quietMs: 0 };

const logError = (failure: unknown, what: string): void => console.error(what, failure);
const logger = { info: () => undefined, warn: () => undefined, error: logError };

export interface OpenDevice {
  store: Store;
  sync: Sync;
  close: () => Promise<void>;
}

export async function openDeviceStore(
  dir: string,
  now: () => Date,
): Promise<{ store: Store; vault: ReturnType<typeof createFileVault> }> {
  const vault = createFileVault(dir);
  const credentials = await readCredentials(vault);
  const store = await openStore({
    dataDir: dir,
    clock: { now },
    newId: uuidv7,
    migrationsDir: MIGRATIONS_DIR,
    knownIdentity: () => credentials,
  });
  return { store, vault };
}

export async function openDevice(place: {
  dir: string;
  url: string;
  chanceSeed: number;
  now: () => Date;
}): Promise<OpenDevice> {
  const { store, vault } = await openDeviceStore(place.dir, place.now);
  await completeInterruptedMove(store, { vault, logger });
  await installBundledCatalogue(store, async () => {
    const { loadStarterCatalogue } = await import('../../../../packages/catalogue/src/index.ts');
    return loadStarterCatalogue();
  });
  const sync = createSync({
    store,
    serverUrl: place.url,
    vault,
    chance: seededRandom(place.chanceSeed).next,
    logger,
    device: { name: 'A device under torture', platform: 'other' },
    turns: place.chanceSeed % 2 === 0 ? ALL_IN_BACKGROUND : undefined,
  });
  sync.start();
  return {
    store,
    sync,
    close: async () => {
      await sync.close();
      store.close();
    },
  };
}
