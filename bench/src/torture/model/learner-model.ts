/** Everything that one learner's devices acknowledged, and what was found out about it since. */
import type { Edited, OutboxEntry, Wire } from '../messages.ts';
import type { WordAttempts } from '../oracle/edit.ts';
import { type Change, type EditMoment, fieldsOf, rowKey } from './change.ts';

export interface LearnerModel {
  readonly changes: readonly Change[];
  /** Code by mutation. */
  readonly rejectedIds: ReadonlyMap<string, string>;
  /** The store's transaction returned. */
  acknowledge: (
    made: { entry: OutboxEntry } & Pick<Extract<Edited, { outcome: 'made' }>, 'absorbed'>,
    device: string,
    moment: EditMoment,
    attempts: readonly WordAttempts[],
  ) => Change;
  /** What a device holds that nobody acknowledged one by one: after a move between accounts, or a session held by the host. */
  adopt: (entry: OutboxEntry, device: string, moment: EditMoment, options?: { isOldApp: boolean }) => void;
  /** As it lies on the device that alone writes it. */
  adoptRow: (row: { table: string; rowId: string; fields: Wire }, device: string, madeMs: number) => void;
  /** The process was killed before it answered. */
  inFlight: (
    change: Pick<Change, 'table' | 'rowId' | 'op' | 'creates' | 'device' | 'attempts'> & EditMoment & { values: Wire },
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
  const fromEntry = (
    entry: OutboxEntry,
    device: string,
    moment: EditMoment,
    { attempts = attemptsIn(entry), isOldApp = false }: { attempts?: readonly WordAttempts[]; isOldApp?: boolean } = {},
  ): Change => {
    const { mutationId, table, rowId, op, creates } = entry;
    if (op === 'restore') throw new Error('a restore is no edit');
    const fields = fieldsOf(entry.fields);
    const kept = { mutationId, device, table, rowId, op, creates, fields, attempts, isOldApp };
    return add({ ...kept, ...moment, settledMs: null, isSure: true });
  };
  const ofDevice = (device: string): Change[] => changes.filter((change) => change.device === device);
  const isAbsorbed = (change: Change): boolean =>
    change.fields.size > 0 && [...change.fields.values()].every(({ absorbedBy }) => absorbedBy !== null);

  return {
    get changes() {
      return changes;
    },
    rejectedIds,
    acknowledge: ({ entry, absorbed }, device, moment, attempts) => {
      const change = fromEntry(entry, device, moment, { attempts });
      for (const { mutationId, fields } of absorbed) {
        for (const name of fields) {
          const field = byId.get(mutationId)?.fields.get(name);
          if (field !== undefined) field.absorbedBy = change;
        }
      }
      return change;
    },
    adopt: (entry, device, moment, options) => {
      if (entry.op !== 'restore' && !byId.has(entry.mutationId)) fromEntry(entry, device, moment, options);
    },
    adoptRow: ({ table, rowId, fields: values }, device, madeMs) => {
      const fields = fieldsOf(values);
      const row = { table, rowId, op: 'upsert' as const, creates: true, fields, attempts: [], isOldApp: false };
      const moment = { madeMs, trueMs: null, seenMs: 0 };
      ownRows.add(rowKey({ table, rowId }));
      add({ ...row, ...moment, mutationId: null, device, settledMs: null, isSure: true });
    },
    inFlight: ({ values, ...change }) => {
      add({ ...change, fields: fieldsOf(values), mutationId: null, isOldApp: false, settledMs: null, isSure: false });
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
        if (entry.op === 'restore' || byId.has(entry.mutationId) || ownRows.has(rowKey(entry))) continue;
        const change = ofDevice(device).find(
          ({ mutationId, isSure, table, rowId, op }) =>
            mutationId === null && !isSure && table === entry.table && rowId === entry.rowId && op === entry.op,
        );
        if (change === undefined) {
          fromEntry(entry, device, { madeMs: Date.now(), trueMs: null, seenMs: 0 });
          continue;
        }
        Object.assign(change, { mutationId: entry.mutationId, creates: entry.creates, isSure: true });
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

/** Of a list that came whole, or of the entries that changed: what each device had counted by then. */
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
