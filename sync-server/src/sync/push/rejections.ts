/** Stores what a push refused, so that a repeated change gets the same outcome. */
import {
  MAX_MUTATIONS_PER_PUSH,
  MAX_REFUSED_FIELDS,
  type Mutation,
  MUTATION_REJECTIONS,
  type MutationOutcome,
  RefusedField,
} from '@parley/contract';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../../db/client.ts';
import { rejections } from '../../db/tables.ts';
import type { ParsedPush } from '../parse-request.ts';
import type { PushTransaction } from './statements/merged-statements.ts';

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

const Loaded = z.object({
  deviceSeq: z.coerce.number(),
  code: z.enum(MUTATION_REJECTIONS),
  field: z.string().nullable(),
  refused: z.array(RefusedField).nullable(),
});

/**
 * Loads the rejections of the changes that this push repeats, and deletes those that the device will not ask for again: it has received every
 * response before this push, and a push has a maximum length. Servers before the limit stored longer lists of refused fields.
 */
export async function loadRejections(
  tx: Database,
  deviceId: string,
  { request, lastSeq }: { request: ParsedPush; lastSeq: number },
): Promise<Map<number, StoredRejection>> {
  const fromSeq = Math.max(request.mutations[0]?.deviceSeq ?? 0, lastSeq - MAX_MUTATIONS_PER_PUSH + 1);
  const repeated = request.mutations.map(({ deviceSeq }) => deviceSeq).filter((seq) => seq <= lastSeq);
  const { rows } = (await tx.execute(sql`
    with forgotten as (delete from rejections where device_id = ${deviceId} and device_seq < ${fromSeq})
    select device_seq as "deviceSeq", code, field, case when jsonb_array_length(refused) > ${MAX_REFUSED_FIELDS}
      then jsonb_path_query_array(refused, ${`$[0 to ${MAX_REFUSED_FIELDS - 1}]`}::jsonpath) else refused end as refused
    from rejections where device_id = ${deviceId} and device_seq = any(${`{${repeated.join(',')}}`}::bigint[])`)) as {
    rows: unknown[];
  };
  return new Map(
    z
      .array(Loaded)
      .parse(rows)
      .map(({ deviceSeq, ...rejection }) => [deviceSeq, rejection]),
  );
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
