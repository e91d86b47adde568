/** One change as it came, read without a database: which table, which of its fields can be read, which are refused. */
import type { Mutation, MutationRejection, RefusedField } from '@parley/contract';
import {
  type Conversation,
  entities,
  type EntityKey,
  entityKeyByTable,
  type Field,
  isProjection,
  SERVER_SET,
  someWireFieldsSchema,
  wireSchema,
} from '@parley/domain';
import type { SpokenProtocol } from './protocol-version.ts';

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

/** A change of a table that learners write, with its fields as the program holds them. */
export interface ReadChange {
  key: EntityKey;
  mutation: Mutation;
  fields: Values;
  /** Fields that are left out while the rest is taken in. */
  refused: RefusedField[];
  /** A session's turns, of a device that sends them in one field. */
  conversation: Conversation | null;
}

/** Throws `MutationRefused`. A device of protocol 2 does not know of refused fields: its whole change is refused instead. */
export function readChange(mutation: Mutation, protocol: SpokenProtocol): ReadChange {
  const key = entityKeyByTable.get(mutation.table);
  if (key === undefined) throw new MutationRefused('unknown_table', null);
  const entity = entities[key];
  if (entity.owner !== 'learner') throw new MutationRefused('read_only', null);
  const account = entity.accountFields.find((name) => Object.hasOwn(mutation.fields, name));
  if (account !== undefined) throw new MutationRefused('account_field', account);
  const { given, refused } = readFields(key, mutation, protocol);
  const [first] = refused;
  if (first !== undefined && protocol === 2) throw new MutationRefused(first.code, first.field);
  if (given[entity.key] !== undefined && given[entity.key] !== mutation.rowId)
    throw new MutationRefused('invalid_value', entity.key);
  const isTaken = (name: string): boolean => !SERVER_SET.has(name) && !isProjection(entity, name);
  const fields = Object.fromEntries(Object.entries(given).filter(([name]) => isTaken(name)));
  return { key, mutation, fields, refused, conversation: conversationIn(key, mutation, given) };
}

const conversationIn = (key: EntityKey, { op }: Mutation, given: Values): Conversation | null =>
  key === 'practiceHistory' && op === 'upsert' && given['entireConversation'] !== undefined
    ? (given['entireConversation'] as Conversation)
    : null;

function readFields(
  key: EntityKey,
  { fields }: Mutation,
  protocol: SpokenProtocol,
): { given: Values; refused: RefusedField[] } {
  const parsed = someWireFieldsSchema(entities[key]).safeParse(fields);
  const text = JSON.stringify(fields);
  const isSuspect = MISLEADING_KEY.test(text) || UNSTORABLE.test(text);
  if (parsed.success && !isSuspect) return { given: withPlainIds(key, parsed.data), refused: [] };
  return readFieldByField(key, fields, protocol);
}

/** Parses each field by itself, so that a refusal can name it. Throws `MutationRefused`. */
function readFieldByField(
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
    const isUsable = parsed?.success === true && !hasMisleadingKey(parsed.data);
    // The database told devices of protocol 2 about these, without the field; they still get that answer.
    if (isUsable && protocol === 2 && isUnstorable(parsed.data)) throw new MutationRefused('invalid_value', null);
    if (isUsable && !isUnstorable(parsed.data)) given[name] = parsed.data;
    else refused.push({ field: name, code: schema === undefined ? 'unknown_field' : 'invalid_value' });
  }
  return { given: withPlainIds(key, given), refused };
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

/** Ids in the one spelling in which the database gives them back. */
function withPlainIds(key: EntityKey, given: Values): Values {
  const plain: Values = { ...given };
  for (const name of idFieldsOf(key)) {
    const id = plain[name];
    if (typeof id === 'string') plain[name] = id.toLowerCase();
  }
  return plain;
}

/** Characters and years that no database holds, as JSON writes them; a backslash that was written twice looks like them. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])|"0000-/i;
/** Every object has these: copying such a key would change something else. */
const MISLEADING_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const MISLEADING_KEY = /"(?:__proto__|constructor|prototype)":/;

const hasMisleadingKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, inner]) => MISLEADING_KEYS.has(name) || hasMisleadingKey(inner));

function isUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (value instanceof Date) return value.getUTCFullYear() < 1;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => isUnstorable(name) || isUnstorable(inner));
}
