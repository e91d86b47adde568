/** Everything that one learner's devices acknowledged, and what was found out about it since. */
import type { Edited, OutboxEntry, Wire } from '../messages.ts';
import { type Change, fieldsOf, rowKey } from './change.ts';

export interface LearnerModel {
  readonly changes: readonly Change[];
  /** Code by mutation. */
  readonly rejectedIds: ReadonlyMap<string, string>;
  /** The store's transaction returned. */
  acknowledge: (made: Extract<Edited, { outcome: 'made' }>, device: string, madeMs: number) => Change;
  /** What a device holds that nobody acknowledged one by one: after a move between accounts, or a session held by the host. */
  adopt: (entry: OutboxEntry, device: string, madeMs: number) => void;
  /** As it lies on the device that alone writes it. */
  adoptRow: (row: { table: string; rowId: string; fields: Wire }, device: string, madeMs: number) => void;
  /** The process was killed before it answered. */
  inFlight: (
    change: Pick<Change, 'table' | 'rowId' | 'op' | 'creates' | 'device' | 'madeMs'> & { values: Wire },
  ) => void;
  /** What no longer waits has been answered by the server. */
  settle: (device: string, waiting: readonly string[], nowMs: number) => void;
  /** After a kill: the outbox tells what of the edits in flight came to pass. */
  recognise: (device: string, outbox: readonly OutboxEntry[]) => void;
  /** A backup took the place of a damaged database: what waited in the one and not in the other may be lost. */
  restore: (device: string, damaged: readonly OutboxEntry[], restored: readonly OutboxEntry[]) => void;
  /** The device moved here from another account, or away: what it said before counts no more. */
  forget: (device: string) => void;
  reject: (mutationId: string, code: string) => void;
}

export function createLearnerModel(): LearnerModel {
  let changes: Change[] = [];
  const rejectedIds = new Map<string, string>();
  /** Rows that were taken in whole: the changes that make them up are in them. */
  const ownRows = new Set<string>();
  let made = 0;
  const byId = new Map<string, Change>();

  const add = (change: Omit<Change, 'order'>): Change => {
    made += 1;
    const kept = { ...change, order: made };
    changes.push(kept);
    if (kept.mutationId !== null) byId.set(kept.mutationId, kept);
    return kept;
  };
  const fromEntry = (entry: OutboxEntry, device: string, madeMs: number): Change => {
    const { mutationId, table, rowId, op, creates, at } = entry;
    const fields = fieldsOf(entry.fields);
    return add({ mutationId, device, table, rowId, op, creates, fields, at, madeMs, settledMs: null, isSure: true });
  };
  const ofDevice = (device: string): Change[] => changes.filter((change) => change.device === device);
  const isAbsorbed = (change: Change): boolean =>
    change.fields.size > 0 && [...change.fields.values()].every(({ absorbedBy }) => absorbedBy !== null);

  return {
    get changes() {
      return changes;
    },
    rejectedIds,
    acknowledge: ({ entry, absorbed }, device, madeMs) => {
      const change = fromEntry(entry, device, madeMs);
      for (const { mutationId, fields } of absorbed) {
        for (const name of fields) {
          const field = byId.get(mutationId)?.fields.get(name);
          if (field !== undefined) field.absorbedBy = change;
        }
      }
      return change;
    },
    adopt: (entry, device, madeMs) => {
      if (!byId.has(entry.mutationId)) fromEntry(entry, device, madeMs);
    },
    adoptRow: ({ table, rowId, fields: values }, device, madeMs) => {
      const fields = fieldsOf(values);
      const row = { table, rowId, op: 'upsert' as const, creates: true, fields, at: null };
      ownRows.add(rowKey({ table, rowId }));
      add({ ...row, mutationId: null, device, madeMs, settledMs: null, isSure: true });
    },
    inFlight: ({ values, ...change }) => {
      add({ ...change, fields: fieldsOf(values), mutationId: null, at: null, settledMs: null, isSure: false });
    },
    settle: (device, waiting, nowMs) => {
      const waits = new Set(waiting);
      for (const change of ofDevice(device)) {
        if (change.settledMs !== null || change.mutationId === null || waits.has(change.mutationId)) continue;
        if (change.isSure && !isAbsorbed(change)) change.settledMs = nowMs;
      }
    },
    recognise: (device, outbox) => {
      for (const entry of outbox) {
        if (byId.has(entry.mutationId) || ownRows.has(rowKey(entry))) continue;
        const change = ofDevice(device).find(
          ({ mutationId, isSure, table, rowId, op }) =>
            mutationId === null && !isSure && table === entry.table && rowId === entry.rowId && op === entry.op,
        );
        if (change === undefined) {
          fromEntry(entry, device, Date.now());
          continue;
        }
        Object.assign(change, { mutationId: entry.mutationId, at: entry.at, creates: entry.creates, isSure: true });
        change.fields = fieldsOf(entry.fields);
        byId.set(entry.mutationId, change);
        absorbByHand(ofDevice(device), change, outbox);
      }
    },
    restore: (device, damaged, restored) => {
      const lost = new Set<Change>();
      const held = new Map(restored.map((entry) => [entry.mutationId, entry]));
      const waited = new Map(damaged.map((entry) => [entry.mutationId, entry]));
      const rowsHeld = new Set(restored.map(rowKey));
      const rowsGone = new Set(damaged.map(rowKey).filter((row) => !rowsHeld.has(row)));
      // Newest first, since what was taken over shares the fate of what took it.
      for (const change of ofDevice(device).toReversed()) {
        if (change.mutationId === null) {
          // What a whole session wrote is known by its rows alone.
          if (rowsGone.has(rowKey(change))) doubt(change);
          continue;
        }
        const entry = waited.get(change.mutationId);
        const again = held.get(change.mutationId);
        for (const [name, field] of change.fields) {
          const isUnsettled =
            (entry !== undefined && name in entry.fields) || (field.absorbedBy !== null && lost.has(field.absorbedBy));
          if (isUnsettled && !(again !== undefined && name in again.fields)) field.isSure = false;
        }
        const isLost =
          again === undefined && (entry !== undefined || [...change.fields.values()].some(({ isSure }) => !isSure));
        if (!isLost) continue;
        lost.add(change);
        change.isSure = false;
      }
    },
    forget: (device) => {
      changes = changes.filter((change) => change.device !== device);
    },
    reject: (mutationId, code) => {
      rejectedIds.set(mutationId, code);
    },
  };
}

function doubt(change: Change): void {
  change.isSure = false;
  for (const field of change.fields.values()) field.isSure = false;
}

/** The edit that was in flight did come to pass, but could not say what it took over: what the outbox no longer holds of the fields it sets. */
function absorbByHand(changes: readonly Change[], by: Change, outbox: readonly OutboxEntry[]): void {
  const held = new Map(outbox.map((entry) => [entry.mutationId, entry.fields]));
  for (const change of changes) {
    if (change === by || change.settledMs !== null || change.mutationId === null || change.creates) continue;
    if (change.table !== by.table || change.rowId !== by.rowId) continue;
    for (const [name, field] of change.fields) {
      const isHeld = name in (held.get(change.mutationId) ?? {});
      if (by.fields.has(name) && !isHeld) field.absorbedBy ??= by;
    }
  }
}
