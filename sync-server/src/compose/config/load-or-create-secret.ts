/** Loads the secret of a server that was given none, creating it once in a file that only its owner can read. */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { preparePrivateFolder } from '@parley/file-permissions';
import { join } from 'node:path';

const SECRET_BYTES = 32;

export async function loadOrCreateSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret');
  const existing = await readFile(file, 'utf8').catch(() => '');
  if (existing !== '') return existing;
  preparePrivateFolder(dataDir);
  // The secret is written to a draft and then linked, so that concurrent starts agree on one and never read half of it.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600 });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return readFile(file, 'utf8');
}
