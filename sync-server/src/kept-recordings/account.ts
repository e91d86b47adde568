/** A learner's choice, and the space that their copies take. */
import { randomUUID } from 'node:crypto';
import type { RecordingKeeping } from '@parley/contract';
import { type PlanType, RECORDINGS_QUOTA_BYTES } from '@parley/domain';
import { count, eq, sql } from 'drizzle-orm';
import { createPlanReader } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { keptRecordings, recordingAccounts, recordingBlobs } from '../db/recording-tables.ts';
import { DomainError } from '../domain-error.ts';

export interface AccountParts {
  db: Database;
  now: () => Date;
  /** Per plan; the domain's defaults when absent. */
  quotas?: Readonly<Record<PlanType, number>>;
}

export type RecordingAccount = typeof recordingAccounts.$inferSelect;

/** The size of a row is added, so that a flood of tiny copies is limited too. */
const ROW_BYTES = 1_024;

export async function readUsedBytes(db: Database, userId: string): Promise<number> {
  const [blobs] = await db
    .select({ bytes: sql<string>`coalesce(sum(${recordingBlobs.bytes}), 0)` })
    .from(recordingBlobs)
    .where(eq(recordingBlobs.userId, userId));
  const [rows] = await db.select({ count: count() }).from(keptRecordings).where(eq(keptRecordings.userId, userId));
  return Number(blobs?.bytes ?? 0) + (rows?.count ?? 0) * ROW_BYTES;
}

export async function readQuotaBytes({ db, now, quotas = RECORDINGS_QUOTA_BYTES }: AccountParts, userId: string) {
  return quotas[(await createPlanReader({ db, now })(userId)).plan];
}

export async function readAccount(db: Database, userId: string): Promise<RecordingAccount | null> {
  const [row] = await db.select().from(recordingAccounts).where(eq(recordingAccounts.userId, userId));
  return row ?? null;
}

/** Gives the caller exclusive access to this learner's copies until its transaction ends. Throws `recordings.off`. */
export async function lockAccount(tx: Database, userId: string): Promise<RecordingAccount> {
  const [row] = await tx.select().from(recordingAccounts).where(eq(recordingAccounts.userId, userId)).for('update');
  if (row?.isOn !== true) throw new DomainError('recordings.off');
  return row;
}

export async function readKeeping(parts: AccountParts, userId: string): Promise<RecordingKeeping> {
  const account = await readAccount(parts.db, userId);
  return {
    isOn: account?.isOn === true,
    usedBytes: await readUsedBytes(parts.db, userId),
    quotaBytes: await readQuotaBytes(parts, userId),
    chosenAt: account?.chosenAt.toISOString() ?? null,
    copiesDeletedAt: account?.copiesDeletedAt?.toISOString() ?? null,
  };
}

/** Devices that know another generation list everything again. */
export async function renewGeneration(tx: Database, userId: string): Promise<void> {
  await tx.update(recordingAccounts).set({ generation: randomUUID() }).where(eq(recordingAccounts.userId, userId));
}
