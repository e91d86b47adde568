/**
 * Stores the chosen server in its own file, so that restoring the database from a backup does not restore an old
 * choice.
 */
import type { ServerChoice } from '@parley/contract';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { renameFile } from '../store/index.ts';
import { parseServerAddress } from './server-address.ts';

export const SERVER_CHOICE_FILE = 'server.json';

/** A null address means that the learner deliberately chose to use no server. */
const StoredChoice = z.object({
  url: z.string().nullable(),
  /** The id that the server stated; null if it stated none. */
  serverId: z.uuid().nullable().default(null),
  /** The server that this build shipped with, whose address may change with an update or at the next start. */
  isDefault: z.boolean().default(false),
});
export type StoredChoice = z.infer<typeof StoredChoice>;

/** Servers configured outside the app's settings. */
export interface ConfiguredServers {
  /** Set by the environment; it overrides everything else. */
  fixed: string | null;
  /** Set by the build; used until the learner chooses. */
  builtIn: string | null;
}

export const NO_SERVER: StoredChoice = { url: null, serverId: null, isDefault: false };

export function readServerChoice(
  dataDir: string,
  { fixed, builtIn }: ConfiguredServers,
): Pick<ServerChoice, 'url' | 'from'> {
  if (fixed !== null) return { url: fixed, from: 'environment' };
  const chosen = readStoredChoice(dataDir);
  if (chosen?.isDefault === true && builtIn !== null) return { url: builtIn, from: 'build' };
  if (chosen !== undefined) return { url: chosen.url, from: 'setting' };
  return { url: builtIn, from: builtIn === null ? null : 'build' };
}

/** Returns undefined when nothing was chosen or the file is unreadable. */
export function readStoredChoice(dataDir: string): StoredChoice | undefined {
  try {
    const stored = StoredChoice.parse(JSON.parse(readFileSync(join(dataDir, SERVER_CHOICE_FILE), 'utf8')));
    if (stored.url === null) return stored;
    const address = parseServerAddress(stored.url);
    return address.ok ? { ...stored, url: address.value } : undefined;
  } catch {
    return undefined;
  }
}

export function writeServerChoice(dataDir: string, choice: StoredChoice): void {
  const file = join(dataDir, SERVER_CHOICE_FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify(choice)}\n`, { flush: true });
  renameFile(`${file}.new`, file);
}
