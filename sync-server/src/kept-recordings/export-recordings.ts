/** The copies of a learner's recordings, for the export of their account. */
import { buffer } from 'node:stream/consumers';
import { and, asc, eq, gt } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { keptRecordings, recordingBlobs } from '../db/recording-tables.ts';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import { fileKey } from './recording-file.ts';

export interface ExportedRecording {
  recordingId: string;
  content: Uint8Array;
}

const ROWS_PER_PAGE = 100;

/** Reads one recording's audio at a time, because all of them may not fit into memory. A file that the storage has lost is left out. */
export async function* exportRecordings(
  { db, storage }: { db: Database; storage: FileStorage },
  userId: string,
): AsyncGenerator<ExportedRecording> {
  let after = 0;
  for (;;) {
    const page = await db
      .select({
        recordingId: keptRecordings.recordingId,
        version: keptRecordings.version,
        fileId: recordingBlobs.fileId,
      })
      .from(keptRecordings)
      .innerJoin(
        recordingBlobs,
        and(eq(recordingBlobs.userId, keptRecordings.userId), eq(recordingBlobs.sha256, keptRecordings.sha256)),
      )
      .where(and(eq(keptRecordings.userId, userId), gt(keptRecordings.version, after)))
      .orderBy(asc(keptRecordings.version))
      .limit(ROWS_PER_PAGE);
    for (const { recordingId, version, fileId } of page) {
      after = version ?? after;
      const content = await storage.get(fileKey(fileId));
      if (content !== null) yield { recordingId, content: await buffer(content) };
    }
    if (page.length < ROWS_PER_PAGE) return;
  }
}
