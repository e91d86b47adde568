import { afterEach, expect, it } from 'vitest';
import { aDataFolder, openHost, removeDataFolders } from './test-kit/open-host.ts';

afterEach(removeDataFolders);

it('leaves the data folder to the next start after one that failed', async () => {
  const dataDir = aDataFolder();
  const failing = openHost({ dataDir, loadCatalogue: () => Promise.reject(new Error('the disk failed')) });
  await expect(failing).rejects.toThrow('the disk failed');
  const { host } = await openHost({ dataDir });
  await host.close();
});
