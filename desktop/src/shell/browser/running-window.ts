/** Finds the shell that already runs on a data folder, so that a second start opens it instead of failing. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const RunningWindow = z.object({ address: z.url() });

const fileIn = (dataDir: string): string => join(dataDir, 'window.json');

/** The address holds the launch's secret: only this user may read it. */
export const announceWindow = (dataDir: string, address: string): Promise<void> =>
  writeFile(fileIn(dataDir), JSON.stringify({ address }), { mode: 0o600 });

export const withdrawWindow = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true });

/** The address of a running shell that answers; null when there is none. */
export async function findRunningWindow(dataDir: string): Promise<string | null> {
  try {
    const { address } = RunningWindow.parse(JSON.parse(await readFile(fileIn(dataDir), 'utf8')));
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(1_000) });
    return response.status === 303 ? address : null;
  } catch {
    return null;
  }
}
