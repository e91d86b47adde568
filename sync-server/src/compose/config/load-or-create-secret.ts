/** Loads the secret of a server that was given none, creating it once in a file that only its owner can read. */
import { randomBytes, randomUUID } from 'node:crypto';
import { constants, copyFile, link, readFile, rm, writeFile } from 'node:fs/promises';
import { preparePrivateFolder } from '@parley/file-permissions';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const SECRET_BYTES = 32;
const MAX_READS = 100;
const READ_AGAIN_MS = 10;

export async function loadOrCreateSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret');
  const existing = await readFile(file, 'utf8').catch(() => '');
  if (existing !== '') return existing;
  preparePrivateFolder(dataDir);
  // The secret is written to a temporary file and then linked, so that concurrent starts agree on one and never read
  // half of it.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600, flush: true });
  await link(draft, file)
    .catch((error: unknown) => {
      if (isTaken(error)) throw error;
      // Some file systems, such as those of USB sticks, have no hard links, and each system refuses them with a
      // different code.
      return copyFile(draft, file, constants.COPYFILE_EXCL);
    })
    .catch((error: unknown) => {
      if (!isTaken(error)) throw error;
    });
  await rm(draft);
  return readWhole(file);
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** If another start creates it by copying, the file is empty for a moment. */
async function readWhole(file: string): Promise<string> {
  for (let attempt = 0; attempt < MAX_READS; attempt += 1) {
    const secret = await readFile(file, 'utf8');
    if (secret !== '') return secret;
    await setTimeout(READ_AGAIN_MS);
  }
  throw new Error(`${file} is empty. Delete it and start the server again.`);
}
