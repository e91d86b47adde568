/** Prevents commands that root runs from leaving files that the server's own user cannot access. */
import { statSync } from 'node:fs';
import type { Config } from '../compose/config/config.ts';

const ROOT = 0;
const NOTHING_TO_UNDO = (): void => undefined;

/** Root acts as the owner of the server's files until the returned function is called. It changes nothing for other users. */
export function actAsOwner({
  databaseUrl,
  dataDir,
  media,
}: Pick<Config, 'databaseUrl' | 'dataDir' | 'media'>): () => void {
  // Windows has none of these functions.
  if (process.geteuid?.() !== ROOT) return NOTHING_TO_UNDO;
  const owner = statSync(databaseUrl === null ? dataDir : media.dir, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === ROOT) return NOTHING_TO_UNDO;
  const group = process.getegid?.() ?? ROOT;
  // Only root may change the group, so this comes first.
  process.setegid?.(owner.gid);
  process.seteuid?.(owner.uid);
  return () => {
    process.seteuid?.(ROOT);
    process.setegid?.(group);
  };
}
