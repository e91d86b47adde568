/** Which server was chosen on this device, in a file of its own: a database that is restored from a backup does not bring an old choice back. */
import type { ServerChoice } from '@parley/contract';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readServerAddress } from './server-address.ts';

export const CHOSEN_SERVER_FILE = 'server.json';

const Chosen = z.object({ url: z.string().nullable() });

/** What the app was started with, and what was built into it. */
export interface GivenServers {
  /** By the environment: nothing else counts then. */
  fixed: string | null;
  /** By the build: until something was chosen. */
  byDefault: string | null;
}

export function readServerChoice(dataDir: string, { fixed, byDefault }: GivenServers): ServerChoice {
  if (fixed !== null) return { url: fixed, from: 'environment' };
  const chosen = readChosen(dataDir);
  if (chosen !== undefined) return { url: chosen, from: 'setting' };
  return { url: byDefault, from: byDefault === null ? null : 'build' };
}

/** Null: that there shall be none. Undefined: nothing was chosen, or what is there cannot be read. */
function readChosen(dataDir: string): string | null | undefined {
  try {
    const { url } = Chosen.parse(JSON.parse(readFileSync(join(dataDir, CHOSEN_SERVER_FILE), 'utf8')));
    if (url === null) return null;
    const address = readServerAddress(url);
    return address.ok ? address.value : undefined;
  } catch {
    return undefined;
  }
}

export function writeServerChoice(dataDir: string, url: string | null): void {
  const file = join(dataDir, CHOSEN_SERVER_FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify({ url })}\n`, { flush: true });
  renameSync(`${file}.new`, file);
}
