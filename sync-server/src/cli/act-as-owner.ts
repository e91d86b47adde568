/** Prevents commands that root runs from leaving files that the server's own user cannot access. */
import { statSync } from 'node:fs';
import type { Config } from '../compose/config/config.ts';

const ROOT = 0;
const NOTHING_TO_UNDO = (): void => undefined;

/** A container may run without the right to change the user. */
export class CannotActAsOwner extends Error {
  constructor(folder: string, userId: number, options: ErrorOptions) {
    super(`Here, root cannot act as the owner of ${folder}: run the command as user ${userId}.`, options);
  }
}

/** Root acts as the owner of the server's files until the returned function is called. It changes nothing for other users. */
export function actAsOwner({
  databaseUrl,
  dataDir,
  media,
}: Pick<Config, 'databaseUrl' | 'dataDir' | 'media'>): () => void {
  // Windows has none of these functions.
  if (process.geteuid?.() !== ROOT) return NOTHING_TO_UNDO;
  const folder = databaseUrl === null ? dataDir : media.dir;
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === ROOT) return NOTHING_TO_UNDO;
  const group = process.getegid?.() ?? ROOT;
  try {
    // Only root may change the group, so this comes first.
    process.setegid?.(owner.gid);
    process.seteuid?.(owner.uid);
  } catch (error) {
    process.setegid?.(group);
    // Most commands write only to PostgreSQL then.
    if (databaseUrl !== null) return NOTHING_TO_UNDO;
    throw new CannotActAsOwner(folder, owner.uid, { cause: error });
  }
  return () => {
    process.seteuid?.(ROOT);
    process.setegid?.(group);
  };
}
