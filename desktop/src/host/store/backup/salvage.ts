/**
 * Reads data that exists only on this device from a damaged database, because no backup contains the newest changes.
 */
import { HybridTime, Mutation, REJECTION_CODES } from '@parley/contract';
import { DeviceId, FieldClocks, LearnerId } from '@parley/domain';
import { z } from 'zod';
import { openForReading } from '../connection.ts';
import { readRowByRow, tryOrNull } from './read-row-by-row.ts';

const UnsentChange = Mutation.omit({ deviceSeq: true }).extend({
  creates: z.boolean(),
  parkedFor: LearnerId.nullable(),
});
/** A change from the outbox without its sequence number. */
export type UnsentChange = z.infer<typeof UnsentChange>;

const StoredIdentity = z.object({ userId: LearnerId, deviceId: DeviceId });
const StoredClock = z.object({ lastHybridTime: HybridTime.nullable() });

const Rejection = z.object({
  id: z.string(),
  userId: LearnerId,
  tableName: z.string(),
  rowId: z.string(),
  code: z.enum(REJECTION_CODES),
  field: z.string().nullable(),
  change: Mutation.pick({ op: true, at: true })
    .extend({ clocks: FieldClocks.optional(), creates: z.boolean() })
    .nullable(),
  fields: Mutation.shape.fields,
  triedVersions: z.string().nullable(),
  isDismissed: z.boolean(),
  at: z.number().transform((ms) => new Date(ms)),
});
/** A change that the server rejected. */
export type Rejection = z.infer<typeof Rejection>;

export interface Salvaged {
  /** Null when the value is unreadable. */
  identity: z.infer<typeof StoredIdentity> | null;
  /** The last hybrid time that this device issued; it must not issue an earlier one. */
  lastHybridTime: string | null;
  /** Oldest first, without unreadable changes. */
  unsent: UnsentChange[];
  /** Leaves out unreadable rows. */
  rejected: Rejection[];
  /** Whether all rejections were readable. Any other rejection in a backup has then been sent again or deleted. */
  areRejectionsComplete: boolean;
  /**
   * Whether all changes and rejections were readable. Any other unsent change in a backup has then been answered by the
   * server.
   */
  isComplete: boolean;
}

const NOTHING_SALVAGED: Salvaged = {
  identity: null,
  lastHybridTime: null,
  unsent: [],
  rejected: [],
  areRejectionsComplete: false,
  isComplete: false,
};

export function salvageDatabase(file: string): Salvaged {
  const sqlite = tryOrNull(() => openForReading(file));
  if (sqlite === null) return NOTHING_SALVAGED;
  try {
    const identity = tryOrNull(() =>
      StoredIdentity.parse(sqlite.prepare('SELECT user_id AS userId, device_id AS deviceId FROM sync_state').get()),
    );
    const clock = tryOrNull(() =>
      StoredClock.parse(sqlite.prepare('SELECT last_hybrid_time AS lastHybridTime FROM sync_state').get()),
    );
    const unsent: UnsentChange[] = [];
    const rejected: Rejection[] = [];
    const isOutboxComplete = readRowByRow(sqlite, 'outbox', {
      parse: parseChange,
      take: (change) => void unsent.push(change),
    });
    const areRejectionsComplete = readRowByRow(sqlite, 'rejected_changes', {
      parse: parseRejection,
      take: (rejection) => void rejected.push(rejection),
    });
    return {
      identity,
      lastHybridTime: clock?.lastHybridTime ?? null,
      unsent,
      rejected,
      areRejectionsComplete,
      isComplete: isOutboxComplete && areRejectionsComplete,
    };
  } finally {
    sqlite.close();
  }
}

function parseChange(row: Record<string, unknown>): UnsentChange {
  const { mutation_id: id, table_name: table, row_id: rowId, op, at, base, creates, put_away_for: parkedFor } = row;
  const clocks = typeof row['clocks'] === 'string' ? { clocks: JSON.parse(row['clocks']) as unknown } : {};
  const fields: unknown = JSON.parse(String(row['fields']));
  // Files of earlier versions lack the parked account and the base version.
  return UnsentChange.parse({
    id,
    table,
    rowId,
    op,
    at,
    fields,
    ...clocks,
    base: base ?? 0,
    creates: creates === 1,
    parkedFor: parkedFor ?? null,
  });
}

/** Files of earlier versions lack the change itself, the versions that failed, and whether it was dismissed. */
const parseRejection = (row: Record<string, unknown>): Rejection =>
  Rejection.parse({
    id: row['id'],
    userId: row['user_id'],
    tableName: row['table_name'],
    rowId: row['row_id'],
    code: row['code'],
    field: row['field'],
    change: typeof row['change'] === 'string' ? (JSON.parse(row['change']) as unknown) : null,
    fields: JSON.parse(String(row['fields'])) as unknown,
    triedVersions: row['tried_between'] ?? null,
    isDismissed: row['is_dismissed'] === 1,
    at: row['at'],
  });
