/** The learner's choice to keep copies: as it is made, and as a device remembers it after this server was restored. */
import { randomUUID } from 'node:crypto';
import type { RecordingKeeping, RememberedChoice } from '@parley/contract';
import { and, eq, lte, notExists, sql } from 'drizzle-orm';
import { eraseRecordings, requireLearner } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { keptRecordings, recordingAccounts, recordingBlobs } from '../db/recording-tables.ts';
import { type AccountParts, readKeeping, type RecordingAccount, renewGeneration } from './account.ts';

export type Choice = ({ isOn: true } | { isOn: false; deleteAll: boolean }) & {
  remembered?: RememberedChoice | undefined;
};

export async function choose(parts: AccountParts, userId: string, choice: Choice): Promise<RecordingKeeping> {
  const { db, now } = parts;
  await db.transaction(async (tx) => {
    // An account that is being erased at this moment must not leave a choice behind.
    await requireLearner(tx, userId);
    const before = await lockChoice(tx, userId);
    const learner = { userId, at: now(), before };
    if (choice.remembered === undefined) await chooseNow(tx, choice, learner);
    else await remember(tx, { isOn: choice.isOn, ...choice.remembered }, learner);
  });
  return readKeeping(parts, userId);
}

interface Chooser {
  userId: string;
  at: Date;
  before: RecordingAccount | null;
}

async function lockChoice(tx: Database, userId: string): Promise<RecordingAccount | null> {
  const [row] = await tx.select().from(recordingAccounts).where(eq(recordingAccounts.userId, userId)).for('update');
  return row ?? null;
}

async function chooseNow(tx: Database, choice: Choice, { userId, at, before }: Chooser): Promise<void> {
  const deletesAll = !choice.isOn && choice.deleteAll;
  // The later of two choices counts, even if this server's clock was set back between them.
  const chosenAt = new Date(Math.max(at.getTime(), (before?.chosenAt.getTime() ?? 0) + 1));
  await saveChoice(tx, userId, { isOn: choice.isOn, chosenAt, ...(deletesAll ? { copiesDeletedAt: chosenAt } : {}) });
  if (!deletesAll) return;
  await eraseRecordings(tx, { userId, at });
  await renewGeneration(tx, userId);
}

/**
 * Takes over what this server had told a device before it was restored. Its own choice stays if it is at least as
 * recent.
 */
async function remember(
  tx: Database,
  { isOn, chosenAt, copiesDeletedAt }: RememberedChoice & { isOn: boolean },
  { userId, at, before }: Chooser,
): Promise<void> {
  // This server stated these times itself, so they are not in the future.
  const notAhead = (time: string): Date => new Date(Math.min(Date.parse(time), at.getTime()));
  const chosen = notAhead(chosenAt);
  const deleted = copiesDeletedAt === null ? null : notAhead(copiesDeletedAt);
  const isLater = chosen > (before?.chosenAt ?? NEVER);
  const isForgotten = deleted !== null && deleted > (before?.copiesDeletedAt ?? NEVER);
  if (isLater) await saveChoice(tx, userId, { isOn, chosenAt: chosen });
  if (!isForgotten || (before === null && !isLater)) return;
  await tx.update(recordingAccounts).set({ copiesDeletedAt: deleted }).where(eq(recordingAccounts.userId, userId));
  // If the learner's last choice was to have no copies here, copies that arrived since the restore are deleted too.
  if (isLater && !isOn && chosen <= deleted) await eraseRecordings(tx, { userId, at });
  else await eraseCopiesUntil(tx, { userId, at, until: deleted });
  await renewGeneration(tx, userId);
}

const NEVER = new Date(0);

async function saveChoice(
  tx: Database,
  userId: string,
  chosen: Pick<RecordingAccount, 'isOn' | 'chosenAt'> & { copiesDeletedAt?: Date },
): Promise<void> {
  await tx
    .insert(recordingAccounts)
    .values({ userId, ...chosen, generation: randomUUID(), version: 0 })
    .onConflictDoUpdate({ target: recordingAccounts.userId, set: chosen });
}

/** Deletes the copies that were on this server before `until`, and audio that no longer belongs to a recording. */
async function eraseCopiesUntil(
  tx: Database,
  { userId, at, until }: { userId: string; at: Date; until: Date },
): Promise<void> {
  await tx.delete(keptRecordings).where(and(eq(keptRecordings.userId, userId), lte(keptRecordings.createdAt, until)));
  const recordings = tx
    .select({ one: sql`1` })
    .from(keptRecordings)
    .where(and(eq(keptRecordings.userId, recordingBlobs.userId), eq(keptRecordings.sha256, recordingBlobs.sha256)));
  const unused = await tx
    .select({ sha256: recordingBlobs.sha256 })
    .from(recordingBlobs)
    .where(and(eq(recordingBlobs.userId, userId), notExists(recordings)));
  await eraseRecordings(tx, { userId, at, hashes: unused.map(({ sha256 }) => sha256) });
}
