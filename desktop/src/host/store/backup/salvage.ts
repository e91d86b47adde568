/** Reads unsent changes and the identity from a damaged database, because no backup contains them. */
import { HybridTime, Mutation } from '@parley/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { z } from 'zod';
import { openForReading, type Sqlite } from '../connection.ts';

const UnsentChange = Mutation.omit({ deviceSeq: true }).extend({
  creates: z.boolean(),
  putAwayFor: LearnerId.nullable(),
});
/** A change from the outbox without its sequence number. */
export type UnsentChange = z.infer<typeof UnsentChange>;

const StoredIdentity = z.object({ userId: LearnerId, deviceId: DeviceId });
const StoredClock = z.object({ lastHybridTime: HybridTime.nullable() });

export interface Salvaged {
  /** Null when it is unreadable. */
  identity: z.infer<typeof StoredIdentity> | null;
  /** The last hybrid time this device issued; it must not issue an earlier one. */
  lastHybridTime: string | null;
  /** Oldest first, without unreadable changes. */
  unsent: UnsentChange[];
  /** Whether all changes were readable. Any other unsent change in a backup has then been answered by the server. */
  isComplete: boolean;
}

const NOTHING_SALVAGED: Salvaged = { identity: null, lastHybridTime: null, unsent: [], isComplete: false };

/** Limits the loop, because numbers in a damaged file may be arbitrary. */
const MAX_POSITIONS = 1_000_000;

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
    const unsent = tryOrNull(() => readOutbox(sqlite)) ?? [];
    const count = tryOrNull(() => sqlite.prepare<[], number>('SELECT count(*) FROM outbox').pluck().get() ?? null);
    return { identity, lastHybridTime: clock?.lastHybridTime ?? null, unsent, isComplete: unsent.length === count };
  } finally {
    sqlite.close();
  }
}

function readOutbox(sqlite: Sqlite): UnsentChange[] {
  const bound = (which: 'min' | 'max'): number =>
    sqlite.prepare<[], number>(`SELECT ${which}(position) FROM outbox`).pluck().get() ?? 0;
  const [first, last] = [bound('min'), bound('max')];
  const read = sqlite.prepare<[number], Record<string, unknown>>('SELECT * FROM outbox WHERE position = ?');
  const found: UnsentChange[] = [];
  for (let position = first; position <= Math.min(last, first + MAX_POSITIONS); position += 1) {
    // Rows are read one by one, so that a bad page affects only its own row.
    const change = tryOrNull(() => parseChange(read.get(position)));
    if (change !== null) found.push(change);
  }
  return found;
}

function parseChange(row: Record<string, unknown> | undefined): UnsentChange | null {
  if (row === undefined) return null;
  const { mutation_id: id, table_name: table, row_id: rowId, op, at, base, creates, put_away_for: putAwayFor } = row;
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
    putAwayFor: putAwayFor ?? null,
  });
}

/** Returns null when reading a bad page throws. */
function tryOrNull<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
