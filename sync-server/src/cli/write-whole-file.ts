/** Writes a file that exists only once it is complete, because a truncated file must not look like a backup. */
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { CommandFailure } from './command.ts';

/** Producing the content takes time, so it starts only after the file could be opened. Returns the number of bytes. */
export async function writeWholeFile(file: string, makeContent: () => Promise<Uint8Array | Readable>): Promise<number> {
  if (!existsSync(dirname(file)))
    throw new CommandFailure(`The folder ${dirname(file)} does not exist: create it, or choose another.`);
  const draft = `${file}.part`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(await makeContent());
    await handle.sync();
    const { size } = await handle.stat();
    await handle.close();
    await rename(draft, file);
    return size;
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw error;
  }
}
