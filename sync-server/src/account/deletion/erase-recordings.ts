/** Deletes copies of recordings: their rows at once, and their files as soon as the storage can be reached. */
import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { recordingBlobs, recordingErasures } from '../../db/recording-tables.ts';

/** Deletes all of a learner's recording audio, or the files with the given hashes. Returns how many. */
export async function eraseRecordings(
  tx: Database,
  { userId, at, hashes }: { userId: string; at: Date; hashes?: readonly string[] },
): Promise<number> {
  if (hashes?.length === 0) return 0;
  const chosen = hashes === undefined ? undefined : inArray(recordingBlobs.sha256, [...hashes]);
  const gone = await tx
    .delete(recordingBlobs)
    .where(and(eq(recordingBlobs.userId, userId), chosen))
    .returning({ fileId: recordingBlobs.fileId });
  if (gone.length > 0)
    await tx
      .insert(recordingErasures)
      .values(gone.map(({ fileId }) => ({ fileId, requestedAt: at })))
      .onConflictDoNothing();
  return gone.length;
}
