/** Checks what Parley depends on, for a report. A failing check must not prevent the others. */
import { statfs, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isIntact, type Store } from '../store/index.ts';

export interface Check {
  name: string;
  result: string;
}

export interface CheckParts {
  store: Store;
  /** The chosen server's response, as a code; null when no server is chosen. */
  askServer: () => Promise<string | null>;
}

export async function runChecks({ store, askServer }: CheckParts): Promise<Check[]> {
  const check = async (name: string, look: () => Promise<string> | string): Promise<Check> => ({
    name,
    result: await Promise.resolve()
      .then(look)
      .catch((error: unknown) => `failed (${codeOf(error)})`),
  });
  return Promise.all([
    check('database', () => (isIntact(store.sqlite) ? 'sound' : 'damaged')),
    check('data_folder', async () => {
      const file = join(store.dataDir, '.check');
      await writeFile(file, 'x');
      await rm(file);
      return 'can be written';
    }),
    check('free_disk', async () => {
      const { bavail, bsize } = await statfs(store.dataDir);
      return `${Math.round((bavail * bsize) / 2 ** 20)} MiB`;
    }),
    check('private_folder', () => store.openToOthersReason ?? 'yes'),
    check('server', async () => (await askServer()) ?? 'none chosen'),
  ]);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : 'unknown';
