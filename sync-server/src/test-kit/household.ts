/** What most suites of sync begin with: a learner with two devices and a stranger with one, on a server with the starter catalogue. */
import { afterAll, beforeAll } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { type CatalogueIds, catalogueIds } from './rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from './server.ts';

export interface Household {
  server: TestServer;
  laptop: TestDevice;
  phone: TestDevice;
  stranger: TestDevice;
  ids: CatalogueIds;
}

/** For the suite that calls this: empty until its tests begin, closed when they are over. */
export function setUpHousehold(open: () => Promise<DatabaseConnection>): Household {
  const home = {} as Household;
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
