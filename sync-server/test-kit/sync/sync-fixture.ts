/** Test fixture for sync: a learner with two devices, another learner, and a server with the starter catalogue. */
import { afterAll, beforeAll } from 'vitest';
import type { DatabaseConnection } from '../../src/db/client.ts';
import { type CatalogueIds, catalogueIds } from './rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../server.ts';

export interface SyncFixture {
  server: TestServer;
  laptop: TestDevice;
  phone: TestDevice;
  stranger: TestDevice;
  ids: CatalogueIds;
}

/** Call it inside a suite: the server starts before the tests and closes after them. */
export function setUpSyncFixture(open: () => Promise<DatabaseConnection>): SyncFixture {
  const home = {} as SyncFixture;
  beforeAll(async () => {
    home.server = await startServer(await open(), { withCatalogue: true });
    home.laptop = await registerDevice(home.server);
    home.phone = await joinDevice(home.server, home.laptop);
    home.stranger = await registerDevice(home.server);
    home.ids = await catalogueIds(home.laptop);
  });
  afterAll(() => home.server.close());
  return home;
}
