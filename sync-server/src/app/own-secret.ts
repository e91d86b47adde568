/** The secret of a server that nobody gave one: made once, and kept where only its owner reads it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { preparePrivateFolder } from '@parley/file-permissions';
import { join } from 'node:path';

const BYTES = 32;

export async function ownSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret');
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept !== '') return kept;
  preparePrivateFolder(dataDir);
  // Written whole and then named: two servers that start at once agree on one, and none reads half of it.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, randomBytes(BYTES).toString('base64url'), { mode: 0o600 });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return readFile(file, 'utf8');
}
