/** A row as the server holds it, made fit to meet a change: whatever is stored, reading it never fails. */
import {
  CompletedObjective,
  entities,
  type EntityKey,
  FieldClocks,
  type FieldRule,
  HYBRID_TIME,
  PronunciationWord,
  ruleOf,
} from '@parley/domain';
import type { z } from 'zod';
import type { Values } from './read-change.ts';

const ENTRY_BY_RULE: Partial<Record<FieldRule, z.ZodType>> = {
  objectives: CompletedObjective,
  words: PronunciationWord,
};

export interface ReadableRow {
  values: Values;
  clocks: FieldClocks;
  /** Entries of merged lists that cannot be read, by field: they are left as they are. */
  unreadable: ReadonlyMap<string, readonly unknown[]>;
}

/** `names`: the fields that a change brings; the others are not merged. */
export function readableRow(key: EntityKey, row: Values, names: Iterable<string>): ReadableRow {
  const values: Values = { ...row };
  const unreadable = new Map<string, unknown[]>();
  for (const name of names) {
    const entry = ENTRY_BY_RULE[ruleOf(entities[key], name)];
    if (entry === undefined) continue;
    const entries = listOf(row[name]);
    const readable = entries.filter((one) => entry.safeParse(one).success);
    values[name] = readable;
    if (readable.length < entries.length) {
      const isReadable = new Set(readable);
      unreadable.set(
        name,
        entries.filter((one) => !isReadable.has(one)),
      );
    }
  }
  return { values, clocks: readClocks(row['fieldClocks']), unreadable };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Those that can be read. */
export function readClocks(stored: unknown): FieldClocks {
  if (typeof stored !== 'object' || stored === null) return {};
  const clocks: Record<string, string> = {};
  for (const [name, time] of Object.entries(stored))
    if (typeof time === 'string' && HYBRID_TIME.test(time)) clocks[name] = time;
  return clocks;
}
