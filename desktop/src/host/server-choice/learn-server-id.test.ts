import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { aDataFolder } from '../test-kit/open-host.ts';
import { createDevices } from '../test-kit/devices.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

let server: TestServer;
const devices = createDevices(() => ({}));
beforeAll(async () => {
  server = await startServer();
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

it('does not end the app when the id of its server cannot be stored', async () => {
  const dataDir = aDataFolder();
  writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ url: server.url }));
  // Writing to a folder as if it were a file fails, even for root.
  mkdirSync(join(dataDir, 'server.json.new'));
  const warn = vi.fn<(about: object, message: string) => void>();
  const { ask } = await devices.open({ dataDir, logger: { info: () => undefined, warn, error: () => undefined } });
  await vi.waitFor(() =>
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ err: expect.any(Error) }), 'server_id_not_stored'),
  );
  expect((await ask.server.read()).url).toBe(server.url);
});
