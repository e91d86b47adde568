/** Finds the shell that already runs on a data folder, so that a second start opens its window instead of failing. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isSameSecret, createSecret, createProof } from './window-access.ts';

/** How a browser gains access: through a file that is soon removed, or through an address that its user types. */
export const ENTRY_METHODS = ['file', 'address'] as const;
export type EntryMethod = (typeof ENTRY_METHODS)[number];

export const OPEN_PATH = '/open/';

const RunningWindow = z.object({ origin: z.url({ protocol: /^http$/ }), key: z.string().min(1) });

const windowFile = (dataDir: string): string => join(dataDir, 'window.json');

/** The key grants access while this shell runs, so only this user may read the file. */
export async function writeWindowFile(dataDir: string, window: { origin: string; key: string }): Promise<void> {
  await removeWindowFile(dataDir);
  await writeFile(windowFile(dataDir), JSON.stringify(window), { mode: 0o600, flag: 'wx' });
}

export const removeWindowFile = (dataDir: string): Promise<void> => rm(windowFile(dataDir), { force: true });

/** Returns an address that admits the browser that opens it. */
export const accessUrl = (origin: string, token: string): string => `${origin}${OPEN_PATH}${token}`;

/**
 * Both sides know the key from the file and neither sends it, because after a crash another user's program may be
 * listening on the port. Request, response and token each prove knowledge of the key for one random nonce.
 */
export const createWindowRequest = (key: string, entrance: EntryMethod, nonce: string) => ({
  path: `/windows/${entrance}/${nonce}/${createProof(key, `request ${entrance} ${nonce}`)}`,
  answer: createProof(key, `answer ${entrance} ${nonce}`),
  token: createProof(key, `token ${entrance} ${nonce}`),
});

/** Gets a one-time token from a running shell; null if none answers. */
export async function requestAccess(
  dataDir: string,
  entrance: EntryMethod,
): Promise<{ origin: string; token: string } | null> {
  try {
    const { origin, key } = RunningWindow.parse(JSON.parse(await readFile(windowFile(dataDir), 'utf8')));
    const { path, answer, token } = createWindowRequest(key, entrance, createSecret());
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
