/** The part of `docs/protocol.md` that is generated: the limits, and each table with its fields, types, references, defaults and merge rules. */
import {
  CLOCK_TOLERANCE_MS,
  ENTITY_KEYS,
  entities,
  type Entity,
  type Field,
  fingerprintOf,
  isSynced,
  MAX_CLOCK_LEAD_MS,
  MAX_TURNS_PER_SESSION,
  ruleOf,
} from '@parley/domain';
import { z } from 'zod';
import {
  MAX_MUTATIONS_PER_PUSH,
  MAX_NAME_LENGTH,
  MAX_PUSH_BYTES,
  MAX_ROWS_PER_PAGE,
  MAX_STREAM_LINE_BYTES,
  TOMBSTONE_DAYS,
} from './limits.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const code = (text: string): string => `\`${text}\``;

export const describeLimits = (): string =>
  table(
    ['limit', 'value'],
    [
      ['changes in a push', String(MAX_MUTATIONS_PER_PUSH)],
      ['bytes of a push, before compression', String(MAX_PUSH_BYTES)],
      ['rows in a page of a stream', String(MAX_ROWS_PER_PAGE)],
      ['bytes of a line of a stream', String(MAX_STREAM_LINE_BYTES)],
      ['characters of the name of a table or a field', String(MAX_NAME_LENGTH)],
      ['days for which a deleted row stays as a tombstone', String(TOMBSTONE_DAYS)],
      ['turns in a session', String(MAX_TURNS_PER_SESSION)],
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

/** JSON Schema in a line: `{word: text 1..80, due: time or null}`; a name with a question mark may be left out. */
function inOneLine(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => (type === 'null' ? 'null' : inOneLine({ ...schema, type }))).join(' or ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return either.map((one) => inOneLine(one)).join(' or ');
  switch (schema.type) {
    case 'string':
      if (schema.format === 'date-time') return 'time';
      return schema.format === 'uuid' ? 'id' : `text${range(schema.minLength, schema.maxLength)}`;
    case 'integer':
    case 'number':
      return `${schema.type}${range(Number(schema.exclusiveMinimum ?? schema.minimum ?? Number.MIN_SAFE_INTEGER), schema.maximum)}`;
    case 'array':
      return `[${inOneLine(itemsOf(schema))}]${range(schema.minItems, schema.maxItems)}`;
    case 'object': {
      const required = new Set(schema.required);
      const named = Object.entries(schema.properties ?? {}).map(
        ([name, value]) => `${name}${required.has(name) ? '' : '?'}: ${inOneLine(value as JsonSchema)}`,
      );
      const others = schema.additionalProperties;
      const any = typeof others === 'object' ? [`any name: ${inOneLine(others)}`] : [];
      return `{${[...named, ...any].join(', ')}}`;
    }
    default:
      return schema.type ?? 'anything';
  }
}

function typeOf(field: Field): string {
  switch (field.kind) {
    case 'enum':
      return (field.enumeration?.values ?? []).map(code).join(', ');
    case 'json':
      return field.shape === null
        ? 'json'
        : `${code(inOneLine(toJsonSchema(field.shape)))}, at most ${field.maxLength} characters of JSON`;
    case 'time':
    case 'boolean':
    case 'id':
      return field.kind;
    case 'text':
    case 'integer':
    case 'real':
      return inOneLine(toJsonSchema(field.schema));
  }
}

const toJsonSchema = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });

const WRITTEN_BY_SERVER = new Set(['syncVersion', 'updatedAt', 'deletedAt']);

function describeField(of: Entity, name: string, field: Field): string[] {
  const isServers = of.owner !== 'learner' || WRITTEN_BY_SERVER.has(name) || of.accountFields.includes(name);
  const isFixed = name === of.key || name === 'createdAt';
  const rule = isServers ? 'set by the server' : isFixed ? 'fixed when the row is made' : ruleOf(of, name);
  const initial = field.initial === undefined ? '' : code(JSON.stringify(field.initial));
  const refersTo = field.references === null ? '' : code(`${field.references.entity}.${field.references.field}`);
  return [
    code(name),
    `${typeOf(field)}${field.nullable ? ' or null' : ''}${field.unique ? ', unique' : ''}`,
    initial,
    refersTo,
    of.merge === 'append_only' && !isServers && !isFixed ? 'insert if absent' : rule.replaceAll('_', ' '),
  ];
}

function describeEntity(of: Entity): string {
  const fields = Object.entries(of.fields as Record<string, Field>);
  const unique = of.uniqueTogether.map((names) => names.map(code).join(' and '));
  const notes = [
    `Key: ${code(of.key)}. ${of.owner === 'learner' ? 'Written by the learner’s devices.' : 'Written by the server; read only for devices.'}`,
    ...unique.map((names) => `Among rows that are not deleted, ${names} together are unique.`),
    ...(of.unit === null
      ? []
      : [
          `The unit’s rank is ${code(of.unit.rankField)}: ${of.unit.ranks.map(code).join(' < ')}. Its fields are sent together.`,
        ]),
  ];
  return [
    `### ${of.name}`,
    notes.join(' '),
    table(
      ['field', 'type', 'default', 'refers to', 'merge rule'],
      fields.map(([name, field]) => describeField(of, name, field).map((cell) => cell.replaceAll('|', '\\|'))),
    ),
  ].join('\n\n');
}

/** Every table that travels, parents before the rows that refer to them. */
export const describeTables = (): string =>
  ENTITY_KEYS.filter(isSynced)
    .map((key) => describeEntity(entities[key]))
    .join('\n\n');

let fingerprint: string | null = null;

/** Of the tables and fields that this version knows: another version reads again what it could not, or sends again what was refused. */
export const schemaFingerprint = (): string => (fingerprint ??= fingerprintOf(describeTables()));

/** In the document, what is generated stands between `<!-- NAME -->` and `<!-- /NAME -->`. */
export const GENERATED_PARTS: Readonly<Record<string, () => string>> = {
  limits: describeLimits,
  tables: describeTables,
};

/** The document with its generated parts renewed. Throws when a mark is missing. */
export function renewProtocolDocument(document: string): string {
  return Object.entries(GENERATED_PARTS).reduce((text, [name, describe]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(open), text.indexOf(close)];
    if (from === -1 || to < from) throw new Error(`docs/protocol.md has no part ${open}`);
    return `${text.slice(0, from + open.length)}\n\n${describe()}\n\n${text.slice(to)}`;
  }, document);
}
