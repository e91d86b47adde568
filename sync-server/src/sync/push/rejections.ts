/** Keeps what a push refused, so that a repeated change gets the same outcome. */
import { MAX_MUTATIONS_PER_PUSH, type Mutation, type MutationOutcome } from '@parley/contract';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { rejections } from '../../db/tables.ts';
import type { ParsedPush } from '../parse-request.ts';
import type { PushTransaction } from './merged-statements.ts';

export type StoredRejection = Pick<typeof rejections.$inferSelect, 'code' | 'field' | 'refused'>;

export function repeatOutcome(
  { id, deviceSeq }: Mutation,
  known: ReadonlyMap<number, StoredRejection>,
): MutationOutcome {
  const answer = known.get(deviceSeq);
  if (answer === undefined) return { id, status: 'duplicate' };
  const { code, field, refused } = answer;
  return refused === null ? { id, status: 'rejected', code, field } : { id, status: 'merged', refused };
}

/**
 * Loads the rejections that this device may ask for again. It has received every response before this push, and a push has a maximum
 * length.
 */
export async function loadRejections(
  tx: Database,
  deviceId: string,
  { request, lastSeq }: { request: ParsedPush; lastSeq: number },
): Promise<Map<number, StoredRejection>> {
  const ofDevice = eq(rejections.deviceId, deviceId);
  const rows = await tx.select().from(rejections).where(ofDevice);
  const fromSeq = Math.max(request.mutations[0]?.deviceSeq ?? 0, lastSeq - MAX_MUTATIONS_PER_PUSH + 1);
  if (rows.some(({ deviceSeq }) => deviceSeq < fromSeq))
    await tx.delete(rejections).where(and(ofDevice, lt(rejections.deviceSeq, fromSeq)));
  return new Map(rows.map(({ deviceSeq, code, field, refused }) => [deviceSeq, { code, field, refused }]));
}

export async function saveRejections(
  transaction: PushTransaction,
  deviceId: string,
  fresh: readonly Mutation[],
  applied: readonly MutationOutcome[],
): Promise<void> {
  const kept = applied.flatMap((outcome, index): (typeof rejections.$inferInsert)[] => {
    const deviceSeq = fresh[index]?.deviceSeq;
    if (deviceSeq === undefined) return [];
    if (outcome.status === 'rejected')
      return [{ deviceId, deviceSeq, code: outcome.code, field: outcome.field, refused: null }];
    const [first] = outcome.status === 'merged' ? (outcome.refused ?? []) : [];
    if (outcome.status !== 'merged' || first === undefined) return [];
    const { code, field } = first;
    return [{ deviceId, deviceSeq, code, field, refused: outcome.refused ?? null }];
  });
  if (kept.length === 0) return;
  const asJson = JSON.stringify(
    kept.map(({ deviceId: device_id, deviceSeq: device_seq, ...outcome }) => ({ device_id, device_seq, ...outcome })),
  );
  await transaction.use((tx) =>
    tx
      .execute(
        sql`insert into ${rejections} (device_id, device_seq, code, field, refused)
          select device_id, device_seq, code, field, refused from json_populate_recordset(null::${rejections}, ${asJson}::json)
          on conflict do nothing`,
      )
      .then(() => undefined),
  );
}
