/** Checks that large downloads leave room on the disk for the learner's work. */
import { statfs } from 'node:fs/promises';

/** Free space that must remain, so that the learner can go on practising. */
const SPARE_BYTES = 64 * 1_048_576;

export async function hasRoomFor(folder: string, bytes: number): Promise<boolean> {
  if (bytes === 0) return true;
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= bytes + SPARE_BYTES;
}

/** Throws the same error as a full disk does. */
export async function requireRoomFor(folder: string, bytes: number): Promise<void> {
  if (!(await hasRoomFor(folder, bytes)))
    throw Object.assign(new Error('the disk has too little room'), { code: 'ENOSPC' });
}
