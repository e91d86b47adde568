/** Reads out of a damaged database what no backup has: changes that were never sent, and whose they are. */
import { HybridTime, Mutation } from '@parley/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { z } from 'zod';
import { openForReading, type Sqlite } from './connection.ts';

const UnsentChange = Mutation.omit({ deviceSeq: true }).extend({
  creates: z.boolean(),
  putAwayFor: LearnerId.nullable(),
});
/** A change as the outbox holds it, whatever number it went out under. */
export type UnsentChange = z.infer<typeof UnsentChange>;

const Owner = z.object({ userId: LearnerId, deviceId: DeviceId });
const Clock = z.object({ lastHybridTime: HybridTime.nullable() });

export interface Salvaged {
  /** Null when it cannot be read any more. */
  identity: z.infer<typeof Owner> | null;
  /** The last time that this device gave: it must not give earlier ones again. */
  lastHybridTime: string | null;
  /** Oldest first, without what cannot be read any more. */
  unsent: UnsentChange[];
  /** Whether that is all of them: then whatever else a backup holds as unsent has been answered since. */
  isComplete: boolean;
}

const NOTHING: Salvaged = { identity: null, lastHybridTime: null, unsent: [], isComplete: false };

/** Numbers that were read out of a damaged file may be anything. */
const MAX_POSITIONS = 1_000_000;

export function salvage(file: string): Salvaged {
  const sqlite = attempt(() => openForReading(file));
  if (sqlite === null) return NOTHING;
  try {
    const identity = attempt(() =>
      Owner.parse(sqlite.prepare('SELECT user_id AS userId, device_id AS deviceId FROM sync_state').get()),
    );
    const clock = attempt(() =>
      Clock.parse(sqlite.prepare('SELECT last_hybrid_time AS lastHybridTime FROM sync_state').get()),
    );
    const unsent = attempt(() => readOutbox(sqlite)) ?? [];
    const count = attempt(() => sqlite.prepare<[], number>('SELECT count(*) FROM outbox').pluck().get() ?? null);
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
    // Each by itself: one that lies on a bad page takes nothing of the others with it.
    const change = attempt(() => parseChange(read.get(position)));
    if (change !== null) found.push(change);
  }
  return found;
}

function parseChange(row: Record<string, unknown> | undefined): UnsentChange | null {
  if (row === undefined) return null;
  const { mutation_id: id, table_name: table, row_id: rowId, op, at, base, creates, put_away_for: putAwayFor } = row;
  const clocks = typeof row['clocks'] === 'string' ? { clocks: JSON.parse(row['clocks']) as unknown } : {};
  const fields: unknown = JSON.parse(String(row['fields']));
  // The file of an earlier version says neither who is away nor what a change was made on.
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

/** Null for whatever a bad page makes of it. */
function attempt<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
