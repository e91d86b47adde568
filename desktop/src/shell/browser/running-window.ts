/** Finds the shell that already runs on a data folder, so that a second start opens it instead of failing. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isSameSecret, newSecret, proofOf } from './access.ts';

/** How a browser is to be led in: through a file that is soon removed, or by an address that its user types. */
export const ENTRANCES = ['file', 'address'] as const;
export type Entrance = (typeof ENTRANCES)[number];

export const OPEN_PATH = '/open/';

const RunningWindow = z.object({ origin: z.url({ protocol: /^http$/ }), key: z.string().min(1) });

const fileIn = (dataDir: string): string => join(dataDir, 'window.json');

/** The key lets its holder in for as long as this shell runs: only this user may read it. */
export async function announceWindow(dataDir: string, window: { origin: string; key: string }): Promise<void> {
  await withdrawWindow(dataDir);
  await writeFile(fileIn(dataDir), JSON.stringify(window), { mode: 0o600, flag: 'wx' });
}

export const withdrawWindow = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true });

/** Opened in a browser, it lets that browser in. */
export const openingAddress = (origin: string, token: string): string => `${origin}${OPEN_PATH}${token}`;

/**
 * Both sides know the key of the file, and neither sends it: after a crash another user's program may listen at the port. The request,
 * the answer and the token are each a proof over the same random number.
 */
export const windowRequest = (key: string, entrance: Entrance, nonce: string) => ({
  path: `/windows/${entrance}/${nonce}/${proofOf(key, `request ${entrance} ${nonce}`)}`,
  answer: proofOf(key, `answer ${entrance} ${nonce}`),
  token: proofOf(key, `token ${entrance} ${nonce}`),
});

/** A one-time token for a shell that runs and answers; null when there is none. */
export async function askRunningWindow(
  dataDir: string,
  entrance: Entrance,
): Promise<{ origin: string; token: string } | null> {
  try {
    const { origin, key } = RunningWindow.parse(JSON.parse(await readFile(fileIn(dataDir), 'utf8')));
    const { path, answer, token } = windowRequest(key, entrance, newSecret());
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(1_000),
    });
    return isSameSecret(await response.text(), answer) ? { origin, token } : null;
  } catch {
    return null;
  }
}
