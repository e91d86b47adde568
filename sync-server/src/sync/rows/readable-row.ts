/** Makes a stored row readable for a merge: invalid stored values never cause an error. */
import {
  CompletedObjective,
  entities,
  type EntityKey,
  FieldClocks,
  type FieldRule,
  HYBRID_TIME,
  PronunciationWord,
  mergeRuleOf,
  quickParser,
} from '@parley/domain';
import type { Values } from '../push/parse-change.ts';

const PARSER_BY_RULE: Partial<Record<FieldRule, (entry: unknown) => unknown>> = {
  objectives: quickParser(CompletedObjective),
  words: quickParser(PronunciationWord),
};

export interface ReadableRow {
  values: Values;
  clocks: FieldClocks;
  /** Entries of merged lists that cannot be parsed, by field; they are preserved. */
  unreadable: ReadonlyMap<string, readonly unknown[]>;
}

/** `names` are the fields that a change contains; the others are not merged. */
export function toReadableRow(key: EntityKey, row: Values, names: Iterable<string>): ReadableRow {
  const values: Values = { ...row };
  const unreadable = new Map<string, unknown[]>();
  for (const name of names) {
    const parse = PARSER_BY_RULE[mergeRuleOf(entities[key], name)];
    if (parse === undefined) continue;
    const entries = toList(row[name]);
    const readable = entries.filter((one) => parse(one) !== undefined);
    values[name] = readable;
    if (readable.length < entries.length) {
      const isReadable = new Set(readable);
      unreadable.set(
        name,
        entries.filter((one) => !isReadable.has(one)),
      );
    }
  }
  return { values, clocks: parseClocks(row['fieldClocks']), unreadable };
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Keeps only the clocks that can be parsed. */
export function parseClocks(stored: unknown): FieldClocks {
  if (typeof stored !== 'object' || stored === null) return {};
  const clocks: Record<string, string> = {};
  for (const [name, time] of Object.entries(stored))
    if (typeof time === 'string' && HYBRID_TIME.test(time)) clocks[name] = time;
  return clocks;
}
