/**
 * Copies of recordings that learners keep on this server: their choice, the list of copies, sending, reading and
 * deleting.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { KeptRecording, type RecordingList, RECORDINGS_PER_PAGE } from '@parley/contract';
import { and, asc, eq, gt } from 'drizzle-orm';
import { eraseRecordings } from '../account/index.ts';
import { keptRecordings, recordingBlobs } from '../db/recording-tables.ts';
import type { ByteRange } from '../ports/storage/file-storage.ts';
import { readLearnerEpoch } from '../sync/index.ts';
import { readAccount, readKeeping, renewGeneration } from './account.ts';
import { type Choice, choose } from './choose.ts';
import { cleanUpRecordings } from './clean-up-recordings.ts';
import { findCopy } from './find-copy.ts';
import { announceRecording, receivePart, type ReceiveParts } from './receive-recording.ts';
import { fileKey } from './recording-file.ts';

export type KeptRecordings = ReturnType<typeof createKeptRecordings>;

export interface OpenedRecording {
  sha256: string;
  bytes: number;
  /** Null when the storage has lost it. */
  open: (range?: ByteRange) => Promise<Readable | null>;
}

/** The generation of a learner who has never chosen anything and so has no copies. */
const NO_GENERATION = '00000000-0000-0000-0000-000000000000';

/**
 * A restored server has the generation of its backup, and gives new copies the numbers of those that it has lost. The
 * epoch distinguishes its lists from those before. The result is a UUID, version 8 of RFC 9562, because apps expect
 * one.
 */
function generationIn(epoch: string, generation: string): string {
  const hex = createHash('sha256').update(`${generation}/${epoch}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function createKeptRecordings(parts: ReceiveParts) {
  const { db, now, storage } = parts;

  return {
    choose: (userId: string, choice: Choice) => choose(parts, userId, choice),
    announce: (userId: string, recording: KeptRecording) => announceRecording(parts, userId, recording),
    receive: (part: Parameters<typeof receivePart>[1]) => receivePart(parts, part),

    async list(
      userId: string,
      { generation, after }: { generation: string | null; after: number },
    ): Promise<RecordingList> {
      // The account is read first, so that whatever is kept after that has a higher number and is listed next time.
      const account = await readAccount(db, userId);
      const current = generationIn(await readLearnerEpoch(db, userId), account?.generation ?? NO_GENERATION);
      // A device whose position is beyond the last copy knows copies that a restored server has lost.
      const startsOver = generation !== current || after > (account?.version ?? 0);
      const since = startsOver ? 0 : after;
      const rows = await db
        .select({
          recordingId: keptRecordings.recordingId,
          sessionId: keptRecordings.sessionId,
          sha256: keptRecordings.sha256,
          bytes: recordingBlobs.bytes,
          version: keptRecordings.version,
        })
        .from(keptRecordings)
        .innerJoin(
          recordingBlobs,
          and(eq(recordingBlobs.userId, keptRecordings.userId), eq(recordingBlobs.sha256, keptRecordings.sha256)),
        )
        .where(and(eq(keptRecordings.userId, userId), gt(keptRecordings.version, since)))
        .orderBy(asc(keptRecordings.version))
        .limit(RECORDINGS_PER_PAGE + 1);
      const page = rows.slice(0, RECORDINGS_PER_PAGE);
      return {
        keeping: await readKeeping(parts, userId),
        generation: current,
        startsOver,
        recordings: page.map(({ recordingId, sessionId, sha256, bytes }) =>
          KeptRecording.parse({ recordingId, sessionId, sha256, bytes }),
        ),
        next: page.at(-1)?.version ?? since,
        hasMore: rows.length > page.length,
      };
    },

    async open(userId: string, recordingId: string): Promise<OpenedRecording | null> {
      const found = await findCopy(db, userId, recordingId);
      if (found === null) return null;
      const { sha256, bytes, fileId } = found;
      return { sha256, bytes, open: (range) => storage.get(fileKey(fileId), range) };
    },

    /** Deletes a copy whose file is missing or has changed, so that a device that has the recording sends it again. */
    async verify(userId: string, recordingId: string): Promise<{ isIntact: boolean }> {
      const found = await findCopy(db, userId, recordingId);
      if (found === null) return { isIntact: false };
      const { sha256, fileId } = found;
      const content = await storage.get(fileKey(fileId));
      if (
        content !== null &&
        createHash('sha256')
          .update(await buffer(content))
          .digest('hex') === sha256
      )
        return { isIntact: true };
      await db.transaction(async (tx) => {
        await eraseRecordings(tx, { userId, at: now(), hashes: [sha256] });
        await renewGeneration(tx, userId);
      });
      return { isIntact: false };
    },

    cleanUp: () => cleanUpRecordings(parts),
  };
}
