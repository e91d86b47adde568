/** A store without a host around it. */
import { fileURLToPath } from 'node:url';
import { uuidv7 } from 'uuidv7';
import { type Clock, openStore, type Store } from '../store/index.ts';
import { aClock, aMigratedFolder } from './open-host.ts';

export const openTestStore = (dataDir: string = aMigratedFolder(), clock: Clock = aClock()): Promise<Store> =>
  openStore({
    dataDir,
    clock,
    newId: uuidv7,
    migrationsDir: fileURLToPath(new URL('../store/migrations', import.meta.url)),
    knownIdentity: () => null,
  });
