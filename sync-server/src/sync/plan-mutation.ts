/** One change of one row, decided without a database: whose it is, which fields it may touch, how it meets what is there. */
import type { Mutation, MutationRejection } from '@parley/contract';
import {
  clampHybridTime,
  ENTITY_KEYS,
  entities,
  type EntityKey,
  entityKeyByTable,
  type Field,
  formatHybridTime,
  isLater,
  mergePronunciationWords,
  parseHybridTime,
  PronunciationWords,
  someWireFieldsSchema,
  wireSchema,
} from '@parley/domain';
import { clockOf, clocksOfCreation, type FieldClocks, SERVER_SET } from './field-clocks.ts';

/** Caught by the push; the learner sees it in a list, with the content of the change. */
export class MutationRefused extends Error {
  readonly code: MutationRejection;
  readonly field: string | null;

  constructor(code: MutationRejection, field: string | null) {
    super(code);
    this.code = code;
    this.field = field;
  }
}

export type Values = Record<string, unknown>;

export interface Write {
  userId: string;
  deviceId: string;
  at: Date;
  version: number;
  /** Whether a row is written anew when a change of it loses: the only way in which a device of protocol 1 hears of that. */
  marksLosers: boolean;
}

/** What a change comes to. */
export interface Plan {
  /** The whole row to write; null when there is nothing to write. */
  row: Values | null;
  /** Whether the row then is what the device made of it, but for the times and the version that the server sets. */
  isExact: boolean;
}

/** A change of a table that learners write, with its fields as the program holds them. */
export interface ReadMutation {
  key: EntityKey;
  mutation: Mutation;
  fields: Values;
}

export function readMutation(mutation: Mutation): ReadMutation {
  const key = entityKeyByTable.get(mutation.table);
  if (key === undefined) throw new MutationRefused('unknown_table', null);
  const entity = entities[key];
  if (entity.owner !== 'learner') throw new MutationRefused('read_only', null);
  const account = entity.accountFields.find((name) => Object.hasOwn(mutation.fields, name));
  if (account !== undefined) throw new MutationRefused('account_field', account);
  const parsed = someWireFieldsSchema(entity).safeParse(mutation.fields);
  const given: Values = parsed.success ? parsed.data : readFieldByField(key, mutation);
  const fields = [...SERVER_SET].some((name) => name in given) ? withoutServerSet(given) : given;
  if (fields[entity.key] !== undefined && fields[entity.key] !== mutation.rowId)
    throw new MutationRefused('invalid_value', entity.key);
  return { key, mutation, fields };
}

const withoutServerSet = (given: Values): Values =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !SERVER_SET.has(name)));

/** Parses each field by itself, so that a refusal can name it. */
function readFieldByField(key: EntityKey, mutation: Mutation): Values {
  const { shape } = wireSchema(entities[key]);
  const fields: Values = {};
  for (const [name, value] of Object.entries(mutation.fields)) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schema === undefined) throw new MutationRefused('unknown_field', name);
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw new MutationRefused('invalid_value', name);
    fields[name] = parsed.data;
  }
  return fields;
}

/** `current` is the row as the server holds it, `fieldClocks` included; undefined when it holds none. */
export function planMutation(change: ReadMutation, current: Values | undefined, write: Write): Plan {
  const { key, mutation, fields } = change;
  const entity = entities[key];
  requireOwn(change, current, write.userId);
  // An account does not end by a change of a row.
  if (key === 'users' && mutation.op === 'delete') throw new MutationRefused('read_only', null);
  // A time is the pushing device's own, whoever it says gave it: nobody else's ties are decided here.
  const given = formatHybridTime({ ...parseHybridTime(mutation.at), deviceId: write.deviceId });
  const time = clampHybridTime(given, write.at.getTime());
  const stamp = { updatedAt: write.at, syncVersion: write.version };
  if (current === undefined) {
    // A deletion of a row that never came here has nothing left to delete.
    if (mutation.op === 'delete') return { row: null, isExact: true };
    const complete = completeRow(key, { ...fields, [entity.key]: mutation.rowId }, write);
    return { row: { ...complete, ...stamp, fieldClocks: clocksOfCreation(key, fields, time) }, isExact: true };
  }
  const lost: Plan = { row: write.marksLosers ? { ...current, ...stamp } : null, isExact: false };
  if (entity.merge === 'append_only' && mutation.op === 'upsert') return lost;
  const merged = merge(key, { current, fields, time, op: mutation.op, at: write.at });
  if (merged === null) return lost;
  return { row: { ...current, ...merged.changes, ...stamp }, isExact: merged.isExact };
}

/** By table: the fields that name a row which belongs to a learner. */
const OWN_REFERENCES: ReadonlyMap<EntityKey, readonly { name: string; to: EntityKey }[]> = new Map(
  ENTITY_KEYS.map((key) => [
    key,
    Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { references }]) => {
      const to = references === null ? undefined : entityKeyByTable.get(references.entity);
      return to !== undefined && to !== 'users' && entities[to].owner === 'learner' ? [{ name, to }] : [];
    }),
  ]),
);

/** The learners' rows that a change refers to. */
export const referredRows = ({ key, fields }: ReadMutation): { to: EntityKey; name: string; id: string }[] =>
  (OWN_REFERENCES.get(key) ?? []).flatMap(({ name, to }) => {
    const id = fields[name];
    return typeof id === 'string' ? [{ to, name, id }] : [];
  });

/** A learner writes their own rows, and never gives one away. */
function requireOwn({ key, mutation, fields }: ReadMutation, current: Values | undefined, userId: string): void {
  const ownerField = key === 'users' ? entities.users.key : 'userId';
  const named = key === 'users' ? mutation.rowId : fields[ownerField];
  const isTheirs = current !== undefined && current[ownerField] !== userId;
  if (isTheirs || (named !== undefined && named !== userId)) throw new MutationRefused('not_yours', null);
  if (current === undefined && named === undefined && mutation.op === 'upsert')
    throw new MutationRefused('invalid_value', ownerField);
}

/** By table: the starting values of its fields; undefined where a device must give one. */
const INITIAL_VALUES: ReadonlyMap<EntityKey, readonly [name: string, initial: unknown][]> = new Map(
  ENTITY_KEYS.map((key) => [
    key,
    Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { initial }]) =>
      SERVER_SET.has(name) ? [] : [[name, initial]],
    ),
  ]),
);

/** A new row needs every field: given, or with a starting value. */
function completeRow(key: EntityKey, fields: Values, write: Write): Values {
  const complete: Values = { createdAt: write.at, deletedAt: null, ...fields };
  for (const [name, initial] of INITIAL_VALUES.get(key) ?? []) {
    if (name in complete) continue;
    if (initial === undefined) throw new MutationRefused('invalid_value', name);
    complete[name] = initial;
  }
  return complete;
}

interface Edit {
  current: Values;
  fields: Values;
  time: string;
  op: Mutation['op'];
  at: Date;
}

/**
 * Whether an edit that arrives now replaces one at `current`. Only a device's own times can be equal, when its clock
 * runs so far ahead that both were clamped: it sends in order, so the one that arrives now is the newer.
 */
const replaces = (arriving: string, current: string | null): boolean =>
  arriving === current || isLater(arriving, current);

/** Field by field the later hybrid time wins; a delete wins over older edits, a newer edit revives. Null: nothing is newer. */
function merge(key: EntityKey, edit: Edit): { changes: Values; isExact: boolean } | null {
  const before = edit.current['fieldClocks'] as FieldClocks;
  const deletedAt = clockOf(before, 'deletedAt');
  const isDeleted = edit.current['deletedAt'] !== null;
  if (edit.op === 'delete') {
    const lastEdit = Object.values(before).reduce<string | null>(
      (last, time) => (replaces(time, last) ? time : last),
      null,
    );
    if (!replaces(edit.time, lastEdit)) return null;
    return { changes: { deletedAt: edit.at, fieldClocks: { ...before, deletedAt: edit.time } }, isExact: true };
  }
  const clocks: Record<string, string> = { ...before };
  const changes: Values = {};
  let isExact = true;
  for (const [name, value] of Object.entries(edit.fields)) {
    const last = clockOf(before, name);
    // Only another creation of the same row names these; what the row has stays.
    if (name === entities[key].key || name === 'createdAt') {
      isExact = false;
      continue;
    }
    if (key === 'pronunciationImprovementSummary' && name === 'words') {
      const theirs = PronunciationWords.parse(edit.current[name]);
      changes[name] = mergePronunciationWords(theirs, PronunciationWords.parse(value));
      isExact = false;
    } else if (replaces(edit.time, last)) {
      changes[name] = value;
    } else {
      isExact = false;
      continue;
    }
    clocks[name] = last === null || replaces(edit.time, last) ? edit.time : last;
  }
  const revives = isDeleted && replaces(edit.time, deletedAt);
  if (Object.keys(changes).length === 0 && !revives) return null;
  return {
    changes: { ...changes, fieldClocks: clocks, ...(revives ? { deletedAt: null } : {}) },
    isExact: isExact && !isDeleted,
  };
}
