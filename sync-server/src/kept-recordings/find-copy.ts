import { and, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { keptRecordings, recordingBlobs } from '../db/recording-tables.ts';

/** Finds a complete copy of a recording; null when there is none. */
export async function findCopy(
  db: Database,
  userId: string,
  recordingId: string,
): Promise<Pick<typeof recordingBlobs.$inferSelect, 'sha256' | 'bytes' | 'fileId'> | null> {
  const [row] = await db
    .select({ sha256: recordingBlobs.sha256, bytes: recordingBlobs.bytes, fileId: recordingBlobs.fileId })
    .from(keptRecordings)
    .innerJoin(
      recordingBlobs,
      and(eq(recordingBlobs.userId, keptRecordings.userId), eq(recordingBlobs.sha256, keptRecordings.sha256)),
    )
    .where(
      and(
        eq(keptRecordings.userId, userId),
        eq(keptRecordings.recordingId, recordingId),
        isNotNull(keptRecordings.version),
      ),
    );
  return row ?? null;
}
