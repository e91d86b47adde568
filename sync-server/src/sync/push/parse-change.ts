/** Parses one change without a database: its table, its readable fields and the fields that are refused. */
import { MAX_REFUSED_FIELDS, type Mutation, type MutationRejection, type RefusedField } from '@parley/contract';
import {
  type Conversation,
  entities,
  type EntityKey,
  entityKeyByTable,
  type Field,
  isProjection,
  SERVER_FIELDS,
  unusableAttemptField,
  wireFieldsDecoder,
  wireSchema,
} from '@parley/domain';
import type { SpokenProtocol } from '../protocol-version.ts';

/** Rejects a single change. The push catches it, and the learner sees the rejection in a list. */
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

/** A parsed change of a table that learners may write. */
export interface ParsedChange {
  key: EntityKey;
  mutation: Mutation;
  fields: Values;
  /** Fields that are left out while the rest is applied. */
  refused: RefusedField[];
  /** A session's turns, when the device sends them in one field. */
  conversation: Conversation | null;
}

/** Throws `MutationRefused`. Protocol 2 has no refused fields, so there a bad field rejects the whole change. */
export function parseChange(mutation: Mutation, protocol: SpokenProtocol): ParsedChange {
  const key = entityKeyByTable.get(mutation.table);
  if (key === undefined) throw new MutationRefused('unknown_table', null);
  const entity = entities[key];
  if (entity.owner !== 'learner') throw new MutationRefused('read_only', null);
  const account = entity.accountFields.find((name) => Object.hasOwn(mutation.fields, name));
  if (account !== undefined) throw new MutationRefused('account_field', account);
  const { given, refused } = parseFields(key, mutation, protocol);
  const [first] = refused;
  if (first !== undefined && protocol === 2) throw new MutationRefused(first.code, first.field);
  if (given[entity.key] !== undefined && given[entity.key] !== mutation.rowId)
    throw new MutationRefused('invalid_value', entity.key);
  const unusable = key === 'wordAttempts' ? unusableAttemptField(given) : null;
  if (unusable !== null) throw new MutationRefused('invalid_value', unusable);
  const isTaken = (name: string): boolean => !SERVER_FIELDS.has(name) && !isProjection(entity, name);
  const fields = Object.fromEntries(Object.entries(given).filter(([name]) => isTaken(name)));
  return { key, mutation, fields, refused, conversation: conversationIn(key, mutation, given) };
}

const conversationIn = (key: EntityKey, { op }: Mutation, given: Values): Conversation | null =>
  key === 'practiceHistory' && op === 'upsert' && given['entireConversation'] !== undefined
    ? (given['entireConversation'] as Conversation)
    : null;

function parseFields(
  key: EntityKey,
  { fields }: Mutation,
  protocol: SpokenProtocol,
): { given: Values; refused: RefusedField[] } {
  const decoded = wireFieldsDecoder(entities[key])(fields);
  const text = JSON.stringify(fields);
  const isSuspect = MISLEADING_KEY.test(text) || UNSTORABLE.test(text);
  if (decoded !== null && !isSuspect) return { given: normalizeIds(key, decoded), refused: [] };
  return parseFieldByField(key, fields, protocol);
}

/** Parses each field separately, so that a refusal can name it. Throws `MutationRefused`. */
function parseFieldByField(
  key: EntityKey,
  fields: Values,
  protocol: SpokenProtocol,
): { given: Values; refused: RefusedField[] } {
  const { shape } = wireSchema(entities[key]);
  const given: Values = {};
  const refused: RefusedField[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const parsed = schema?.safeParse(value);
    const isUsable = parsed?.success === true && !hasPrototypeKey(parsed.data);
    // With protocol 2, the database used to reject these values without naming the field, and protocol 2 devices still
    // get that response.
    if (isUsable && protocol === 2 && isUnstorable(parsed.data)) throw new MutationRefused('invalid_value', null);
    if (isUsable && !isUnstorable(parsed.data)) given[name] = parsed.data;
    else refused.push({ field: name, code: schema === undefined ? 'unknown_field' : 'invalid_value' });
    const [first] = refused;
    // The list is stored until the device has moved past the change, so a megabyte of names must not become a row.
    if (first !== undefined && refused.length > MAX_REFUSED_FIELDS) throw new MutationRefused(first.code, first.field);
  }
  return { given: normalizeIds(key, given), refused };
}

const idFields = new Map<EntityKey, readonly string[]>();

function idFieldsOf(key: EntityKey): readonly string[] {
  const known = idFields.get(key);
  if (known !== undefined) return known;
  const names = Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { kind }]) =>
    kind === 'id' ? [name] : [],
  );
  idFields.set(key, names);
  return names;
}

/** Normalises ids to the spelling that the database returns. */
function normalizeIds(key: EntityKey, given: Values): Values {
  const plain: Values = { ...given };
  for (const name of idFieldsOf(key)) {
    const id = plain[name];
    if (typeof id === 'string') plain[name] = id.toLowerCase();
  }
  return plain;
}

/** Matches characters and years that PostgreSQL cannot store, as JSON escapes them; an escaped backslash may look the same. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])|"0000-/i;
/** Every object inherits these keys, so copying one would change something else. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const MISLEADING_KEY = /"(?:__proto__|constructor|prototype)":/;

const hasPrototypeKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, inner]) => PROTOTYPE_KEYS.has(name) || hasPrototypeKey(inner));

function isUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (value instanceof Date) return value.getUTCFullYear() < 1;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => isUnstorable(name) || isUnstorable(inner));
}
