/** A store without a host around it. */
import { fileURLToPath } from 'node:url';
import { uuidv7 } from 'uuidv7';
import { openStore, type Store } from '../store/index.ts';
import { aClock, aDataFolder } from './open-host.ts';

export const openTestStore = (dataDir: string = aDataFolder()): Promise<Store> =>
  openStore({
    dataDir,
    clock: aClock(),
    newId: uuidv7,
    migrationsDir: fileURLToPath(new URL('../store/migrations', import.meta.url)),
    knownIdentity: () => null,
  });
