/** Records everything that the devices of one learner acknowledged, and what became of it. */
import type { Edited, OutboxEntry, Wire } from '../messages.ts';
import type { WordAttempts } from '../oracle/oracle-edit.ts';
import { type ModelChange, type EditMoment, toModelFields, rowKey } from './change.ts';

export interface LearnerModel {
  readonly changes: readonly ModelChange[];
  /** Error code by mutation id. */
  readonly rejectedIds: ReadonlyMap<string, string>;
  /** Records an edit whose transaction in the store has committed. */
  recordAcknowledged: (
    made: { entry: OutboxEntry } & Pick<Extract<Edited, { outcome: 'made' }>, 'absorbed'>,
    device: string,
    moment: EditMoment,
    attempts: readonly WordAttempts[],
  ) => ModelChange;
  /** Records an outbox entry that was not acknowledged on its own, after an account move or a session of the host. */
  recordOutboxEntry: (entry: OutboxEntry, device: string, moment: EditMoment, options?: { isOldApp: boolean }) => void;
  /** Records a row as stored on the only device that writes it. */
  recordRow: (row: { table: string; rowId: string; fields: Wire }, device: string, madeMs: number) => void;
  /** Records an edit whose process was killed before it answered. */
  recordInFlight: (
    change: Pick<ModelChange, 'table' | 'rowId' | 'op' | 'creates' | 'device' | 'attempts'> &
      EditMoment & { values: Wire },
  ) => void;
  /** Marks the changes that have left the outbox as answered by the server. */
  markSettled: (device: string, waiting: readonly string[], nowMs: number) => void;
  /** Matches the outbox after a kill with the edits that were in flight, to learn which of them succeeded. */
  reconcileOutbox: (device: string, outbox: readonly OutboxEntry[]) => void;
  /** Records that a backup replaced a damaged database: changes that waited only in the damaged one may be lost. */
  recordBackupRestore: (device: string, damaged: readonly OutboxEntry[], restored: readonly OutboxEntry[]) => void;
  /** Forgets the changes of a device that moved to or from another account. */
  forgetDevice: (device: string) => void;
  recordRejection: (mutationId: string, code: string) => void;
}

export function createLearnerModel(): LearnerModel {
  let changes: ModelChange[] = [];
  const rejectedIds = new Map<string, string>();
  /** Rows that were recorded as a whole, including the changes of which they consist. */
  const wholeRows = new Set<string>();
  let made = 0;
  const byId = new Map<string, ModelChange>();

  const add = (change: Omit<ModelChange, 'order'>): ModelChange => {
    made += 1;
    const recorded = { ...change, order: made };
    changes.push(recorded);
    if (recorded.mutationId !== null) byId.set(recorded.mutationId, recorded);
    return recorded;
  };
  const fromEntry = (
    entry: OutboxEntry,
    device: string,
    moment: EditMoment,
    { attempts = attemptsIn(entry), isOldApp = false }: { attempts?: readonly WordAttempts[]; isOldApp?: boolean } = {},
  ): ModelChange => {
    const { mutationId, table, rowId, op, creates } = entry;
    if (op === 'restore') throw new Error('a restore is no edit');
    const fields = toModelFields(entry.fields);
    const kept = { mutationId, device, table, rowId, op, creates, fields, attempts, isOldApp };
    return add({ ...kept, ...moment, settledMs: null, isSure: true });
  };
  const ofDevice = (device: string): ModelChange[] => changes.filter((change) => change.device === device);
  const isAbsorbed = (change: ModelChange): boolean =>
    change.fields.size > 0 && [...change.fields.values()].every(({ absorbedBy }) => absorbedBy !== null);

  return {
    get changes() {
      return changes;
    },
    rejectedIds,
    recordAcknowledged: ({ entry, absorbed }, device, moment, attempts) => {
      const change = fromEntry(entry, device, moment, { attempts });
      for (const { mutationId, fields } of absorbed) {
        for (const name of fields) {
          const field = byId.get(mutationId)?.fields.get(name);
          if (field !== undefined) field.absorbedBy = change;
        }
      }
      return change;
    },
    recordOutboxEntry: (entry, device, moment, options) => {
      if (entry.op !== 'restore' && !byId.has(entry.mutationId)) fromEntry(entry, device, moment, options);
    },
    recordRow: ({ table, rowId, fields: values }, device, madeMs) => {
      const fields = toModelFields(values);
      const row = { table, rowId, op: 'upsert' as const, creates: true, fields, attempts: [], isOldApp: false };
      const moment = { madeMs, trueMs: null, seenMs: 0 };
      wholeRows.add(rowKey({ table, rowId }));
      add({ ...row, ...moment, mutationId: null, device, settledMs: null, isSure: true });
    },
    recordInFlight: ({ values, ...change }) => {
      add({
        ...change,
        fields: toModelFields(values),
        mutationId: null,
        isOldApp: false,
        settledMs: null,
        isSure: false,
      });
    },
    markSettled: (device, waiting, nowMs) => {
      const waits = new Set(waiting);
      for (const change of ofDevice(device)) {
        if (change.settledMs !== null || change.mutationId === null || waits.has(change.mutationId)) continue;
        if (change.isSure && !isAbsorbed(change)) change.settledMs = nowMs;
      }
    },
    reconcileOutbox: (device, outbox) => {
      for (const entry of outbox) {
        if (entry.op === 'restore' || byId.has(entry.mutationId) || wholeRows.has(rowKey(entry))) continue;
        const change = ofDevice(device).find(
          ({ mutationId, isSure, table, rowId, op }) =>
            mutationId === null && !isSure && table === entry.table && rowId === entry.rowId && op === entry.op,
        );
        if (change === undefined) {
          fromEntry(entry, device, { madeMs: Date.now(), trueMs: null, seenMs: 0 });
          continue;
        }
        Object.assign(change, { mutationId: entry.mutationId, creates: entry.creates, isSure: true });
        change.fields = toModelFields(entry.fields);
        byId.set(entry.mutationId, change);
        inferAbsorbedFields(ofDevice(device), change, outbox);
      }
    },
    recordBackupRestore: (device, damaged, restored) => {
      const lost = new Set<ModelChange>();
      const held = new Map(restored.map((entry) => [entry.mutationId, entry]));
      const pendingBefore = new Map(damaged.map((entry) => [entry.mutationId, entry]));
      const rowsHeld = new Set(restored.map(rowKey));
      const rowsGone = new Set(damaged.map(rowKey).filter((row) => !rowsHeld.has(row)));
      // Newest first, because an absorbed change shares the fate of the change that absorbed it.
      for (const change of ofDevice(device).toReversed()) {
        if (change.mutationId === null) {
          // The changes of a host session are known by their rows only.
          if (rowsGone.has(rowKey(change))) markUncertain(change);
          continue;
        }
        const entry = pendingBefore.get(change.mutationId);
        const restoredEntry = held.get(change.mutationId);
        for (const [name, field] of change.fields) {
          const isUnsettled =
            (entry !== undefined && name in entry.fields) || (field.absorbedBy !== null && lost.has(field.absorbedBy));
          if (isUnsettled && !(restoredEntry !== undefined && name in restoredEntry.fields)) field.isSure = false;
        }
        const isLost =
          restoredEntry === undefined &&
          (entry !== undefined || [...change.fields.values()].some(({ isSure }) => !isSure));
        if (!isLost) continue;
        lost.add(change);
        change.isSure = false;
      }
    },
    forgetDevice: (device) => {
      changes = changes.filter((change) => change.device !== device);
    },
    recordRejection: (mutationId, code) => {
      rejectedIds.set(mutationId, code);
    },
  };
}

/** Returns the attempts that each device had counted, from a whole list of words or from changed entries. */
function attemptsIn({ table, fields }: OutboxEntry): WordAttempts[] {
  if (table !== 'pronunciation_improvement_summary' || !Array.isArray(fields['words'])) return [];
  const entries = fields['words'] as unknown as (Omit<WordAttempts, 'isTotal'> & { counts?: object })[];
  return entries.map(({ word, attempts, meanAccuracy, lastPracticedAt, counts }) => ({
    word,
    attempts,
    meanAccuracy,
    lastPracticedAt,
    isTotal: counts === undefined,
  }));
}

function markUncertain(change: ModelChange): void {
  change.isSure = false;
  for (const field of change.fields.values()) field.isSure = false;
}

/** The edit succeeded, but its answer was lost. A field that it sets and that the outbox no longer holds was absorbed by it. */
function inferAbsorbedFields(changes: readonly ModelChange[], by: ModelChange, outbox: readonly OutboxEntry[]): void {
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
