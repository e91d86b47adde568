/** Generates the parts of `docs/protocol.md` that list the limits and each table's fields, types, references, defaults and merge rules. */
import {
  CLOCK_TOLERANCE_MS,
  ENTITY_KEYS,
  entities,
  type Entity,
  type Field,
  fingerprintOf,
  isSynced,
  MAX_CLOCK_LEAD_MS,
  MAX_SESSION_BYTES,
  MAX_TURNS_PER_SESSION,
  mergeRuleOf,
} from '@parley/domain';
import { z } from 'zod';
import {
  MAX_MUTATIONS_PER_PUSH,
  MAX_NAME_LENGTH,
  MAX_PUSH_BYTES,
  MAX_REFUSED_FIELDS,
  MAX_ROWS_PER_PAGE,
  MAX_SESSIONS_PER_TURNS_REQUEST,
  MAX_STREAM_LINE_BYTES,
  TOMBSTONE_DAYS,
} from './limits.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const inlineCode = (text: string): string => `\`${text}\``;

export const describeLimits = (): string =>
  table(
    ['limit', 'value'],
    [
      ['changes in a push', String(MAX_MUTATIONS_PER_PUSH)],
      ['bytes of a push, before compression', String(MAX_PUSH_BYTES)],
      ['rows in a page of a stream', String(MAX_ROWS_PER_PAGE)],
      ['bytes of a line of a stream', String(MAX_STREAM_LINE_BYTES)],
      ['sessions in a request for turns', String(MAX_SESSIONS_PER_TURNS_REQUEST)],
      ['characters of the name of a table or a field', String(MAX_NAME_LENGTH)],
      ['fields of a change that may be refused by themselves', String(MAX_REFUSED_FIELDS)],
      ['days for which a deleted row stays as a tombstone', String(TOMBSTONE_DAYS)],
      ['turns in a session', String(MAX_TURNS_PER_SESSION)],
      ['bytes of the turns of a session', String(MAX_SESSION_BYTES)],
      ['ms by which a device’s clock may differ without being corrected', String(CLOCK_TOLERANCE_MS)],
      ['ms by which a change may be ahead of the server’s clock', String(MAX_CLOCK_LEAD_MS)],
    ],
  );

const range = (min: number | undefined, max: number | undefined): string => {
  const least = min === undefined || min <= Number.MIN_SAFE_INTEGER ? '' : String(min);
  const most = max === undefined || max >= Number.MAX_SAFE_INTEGER ? '' : String(max);
  return least === '' && most === '' ? '' : ` ${least}..${most}`;
};

const itemsOf = ({ items }: JsonSchema): JsonSchema =>
  typeof items === 'object' && !Array.isArray(items) ? items : {};

/** Writes a JSON Schema on one line, such as `{word: text 1..80, due: time or null}`. A question mark marks an optional name. */
function toInlineSchema(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => (type === 'null' ? 'null' : toInlineSchema({ ...schema, type }))).join(' or ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return either.map((one) => toInlineSchema(one)).join(' or ');
  switch (schema.type) {
    case 'string':
      if (schema.format === 'date-time') return 'time';
      return schema.format === 'uuid' ? 'id' : `text${range(schema.minLength, schema.maxLength)}`;
    case 'integer':
    case 'number':
      return `${schema.type}${range(Number(schema.exclusiveMinimum ?? schema.minimum ?? Number.MIN_SAFE_INTEGER), schema.maximum)}`;
    case 'array':
      return `[${toInlineSchema(itemsOf(schema))}]${range(schema.minItems, schema.maxItems)}`;
    case 'object': {
      const required = new Set(schema.required);
      const named = Object.entries(schema.properties ?? {}).map(
        ([name, value]) => `${name}${required.has(name) ? '' : '?'}: ${toInlineSchema(value as JsonSchema)}`,
      );
      const others = schema.additionalProperties;
      const additional = typeof others === 'object' ? [`any name: ${toInlineSchema(others)}`] : [];
      return `{${[...named, ...additional].join(', ')}}`;
    }
    default:
      return schema.type ?? 'anything';
  }
}

function describeType(field: Field): string {
  switch (field.kind) {
    case 'enum':
      return (field.enumeration?.values ?? []).map(inlineCode).join(', ');
    case 'json':
      return field.shape === null
        ? 'json'
        : `${inlineCode(toInlineSchema(toJsonSchema(field.shape)))}, at most ${field.maxLength} characters of JSON`;
    case 'time':
    case 'boolean':
    case 'id':
      return field.kind;
    case 'text':
    case 'integer':
    case 'real':
      return toInlineSchema(toJsonSchema(field.schema));
  }
}

const toJsonSchema = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });

const WRITTEN_BY_SERVER = new Set(['syncVersion', 'updatedAt', 'deletedAt']);

function describeField(entity: Entity, name: string, field: Field): string[] {
  const isServerField =
    entity.owner !== 'learner' || WRITTEN_BY_SERVER.has(name) || entity.accountFields.includes(name);
  const isFixed = name === entity.key || name === 'createdAt';
  const rule = isServerField ? 'set by the server' : isFixed ? 'fixed when the row is made' : mergeRuleOf(entity, name);
  const initial = field.initial === undefined ? '' : inlineCode(JSON.stringify(field.initial));
  const refersTo = field.references === null ? '' : inlineCode(`${field.references.entity}.${field.references.field}`);
  return [
    inlineCode(name),
    `${describeType(field)}${field.nullable ? ' or null' : ''}${field.unique ? ', unique' : ''}`,
    initial,
    refersTo,
    entity.merge === 'append_only' && !isServerField && !isFixed ? 'insert if absent' : rule.replaceAll('_', ' '),
  ];
}

function describeEntity(entity: Entity): string {
  const fields = Object.entries(entity.fields as Record<string, Field>);
  const unique = entity.uniqueTogether.map((names) => names.map(inlineCode).join(' and '));
  const notes = [
    `Key: ${inlineCode(entity.key)}. ${entity.owner === 'learner' ? 'Written by the learner’s devices.' : 'Written by the server; read only for devices.'}`,
    ...unique.map((names) => `Among rows that are not deleted, ${names} together are unique.`),
    ...(entity.unit === null
      ? []
      : [
          `The unit’s rank is ${inlineCode(entity.unit.rankField)}: ${entity.unit.ranks.map(inlineCode).join(' < ')}. Its fields are sent together.`,
        ]),
  ];
  return [
    `### ${entity.name}`,
    notes.join(' '),
    table(
      ['field', 'type', 'default', 'refers to', 'merge rule'],
      fields.map(([name, field]) => describeField(entity, name, field).map((cell) => cell.replaceAll('|', '\\|'))),
    ),
  ].join('\n\n');
}

/** Every synced table, parents before the rows that refer to them. */
export const describeTables = (): string =>
  ENTITY_KEYS.filter(isSynced)
    .map((key) => describeEntity(entities[key]))
    .join('\n\n');

let fingerprint: string | null = null;

/**
 * Identifies the tables and fields that this version knows. After a change, a device rereads rows that it could not parse and resends
 * changes that were refused.
 */
export const schemaFingerprint = (): string => (fingerprint ??= fingerprintOf(describeTables()));

/** Generated parts are between `<!-- NAME -->` and `<!-- /NAME -->` in the document. */
export const GENERATED_SECTIONS: Readonly<Record<string, () => string>> = {
  limits: describeLimits,
  tables: describeTables,
};

/** Returns the document with its generated parts replaced. Throws when a marker is missing. */
export function updateProtocolDocument(document: string): string {
  return Object.entries(GENERATED_SECTIONS).reduce((text, [name, describe]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(open), text.indexOf(close)];
    if (from === -1 || to < from) throw new Error(`docs/protocol.md has no section ${open}`);
    return `${text.slice(0, from + open.length)}\n\n${describe()}\n\n${text.slice(to)}`;
  }, document);
}
