/** Checks a request or an answer against OpenAI's document, and words what is wrong as the service does. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isObject, meantMembers } from './narrow.ts';
import { type Schema, storedSchemas } from './stored.ts';
import { unknownName } from './unknown-names.ts';

export interface SchemaProblem {
  code: string;
  message: string;
  /** Such as `input[0].role`; empty for the whole. */
  param: string;
}

/** What is stored is known to be JSON Schema, and checking that takes a second. */
const OPTIONS = { strict: false, validateFormats: false, validateSchema: false, logger: false } as const;
const KEY = 'openai';

let ajv: Ajv2020 | null = null;

/** Null when the value keeps to the schema of this name and has no names that the schema lacks. */
export function schemaProblem(name: string, value: unknown): SchemaProblem | null {
  const { schemas } = storedSchemas();
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`No schema is named ${name}.`);
  const unknown = unknownName(schemas, schema, value);
  if (unknown !== null)
    return { code: 'unknown_parameter', message: `Unknown parameter: '${unknown}'.`, param: unknown };
  return validatorOf(name)(value) ? null : explain(schema, value);
}

/** The same of an event: it is checked against the member of the union that has its type. */
export function eventProblem(union: string, event: unknown): SchemaProblem | null {
  const types = eventSchemas(union);
  const type = isObject(event) ? event['type'] : undefined;
  if (type === undefined)
    return { code: 'missing_required_parameter', message: "Missing required parameter: 'type'.", param: 'type' };
  const name = typeof type === 'string' ? types.get(type) : undefined;
  return name === undefined ? wrongValue('type', type, [...types.keys()]) : schemaProblem(name, event);
}

/** Compiles what will be needed: it takes half a second, which would count as the first answer's delay. */
export function prepareSchemas({ names = [], unions = [] }: { names?: string[]; unions?: string[] }): void {
  for (const name of [...names, ...unions.flatMap((union) => [...eventSchemas(union).values()])]) validatorOf(name);
}

const eventsByUnion = new Map<string, ReadonlyMap<string, string>>();

/** The name of each event's schema, by its type. */
function eventSchemas(union: string): ReadonlyMap<string, string> {
  const known = eventsByUnion.get(union);
  if (known !== undefined) return known;
  const { schemas } = storedSchemas();
  const names = (schemas[union]?.anyOf ?? []).map(({ $ref = '' }) => $ref.replace('#/$defs/', ''));
  const made = new Map(names.map((name) => [String(constantOf(schemas[name]?.properties?.['type'])), name]));
  eventsByUnion.set(union, made);
  return made;
}

const constantOf = (schema: Schema | undefined): unknown => schema?.const ?? schema?.enum?.[0];

function validatorOf(name: string): ValidateFunction {
  if (ajv === null) {
    const closedByName = Object.entries(storedSchemas().schemas).map(([each, schema]) => [each, closed(schema)]);
    ajv = new Ajv2020(OPTIONS).addSchema({ $id: KEY, $defs: Object.fromEntries(closedByName) as Schema });
  }
  const validate = ajv.getSchema(`${KEY}#/$defs/${name}`);
  if (validate === undefined) throw new Error(`No schema is named ${name}.`);
  return validate;
}

/** OpenAI's document says of few objects that they have no other names, and the service refuses others everywhere. */
function closed(schema: Schema): Schema {
  const { properties, items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(closed) }),
    ...(items === undefined ? {} : { items: closed(items) }),
    ...(isObject(additionalProperties) ? { additionalProperties: closed(additionalProperties) } : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, closed(part)])),
          additionalProperties: additionalProperties === undefined ? false : schema.additionalProperties,
        }),
  };
}

/** Only when something is wrong: each union is narrowed to what the value means, so that the first error is the one that matters. */
function explain(schema: Schema, value: unknown): SchemaProblem {
  const validate = new Ajv2020({ ...OPTIONS, allErrors: true, verbose: true }).compile(narrowed(schema, value));
  validate(value);
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf');
  const [worst] = errors.toSorted((a, b) => depthOf(b) - depthOf(a) || rankOf(a) - rankOf(b));
  if (worst === undefined) return { code: 'invalid_value', message: 'The request is not valid.', param: '' };
  // Several members may have been meant: what each of them takes is listed.
  const alike = errors.filter(({ keyword, instancePath }) => keyword === 'enum' && instancePath === worst.instancePath);
  const allowed = alike.flatMap(({ params }) => (params as { allowedValues: unknown[] }).allowedValues);
  return problemOf(worst.keyword === 'enum' ? { ...worst, params: { allowedValues: [...new Set(allowed)] } } : worst);
}

const depthOf = ({ instancePath }: ErrorObject): number => instancePath.split('/').length;
/** A value that is not among those allowed says most; that it is not null says least. */
const rankOf = ({ keyword, params }: ErrorObject): number => {
  if (keyword === 'type') return (params as { type: unknown }).type === 'null' ? 3 : 2;
  return keyword === 'enum' || keyword === 'const' ? 0 : 1;
};

function narrowed(schema: Schema, value: unknown): Schema {
  const members = meantMembers(storedSchemas().schemas, schema, value);
  const made = members.map((member): Schema => {
    const { properties, items } = member;
    if (Array.isArray(value) && items !== undefined)
      return { ...member, items: true, prefixItems: value.map((one) => narrowed(items, one)) } as unknown as Schema;
    if (!isObject(value) || properties === undefined) return withoutReferences(member);
    const parts = Object.entries(properties).map(([name, part]) => [
      name,
      name in value ? narrowed(part, value[name]) : {},
    ]);
    return { ...member, properties: Object.fromEntries(parts) as Record<string, Schema> };
  });
  return made.length === 1 ? (made[0] ?? {}) : { anyOf: made };
}

/** Of a value of another kind, it is enough that its kind is wrong. */
const withoutReferences = ({ type, enum: values, ...rest }: Schema): Schema =>
  type === 'array' || type === 'object'
    ? { type }
    : { ...rest, ...(type === undefined ? {} : { type }), ...(values === undefined ? {} : { enum: values }) };

function problemOf({ keyword, instancePath, params, data, parentSchema }: ErrorObject): SchemaProblem {
  const given = params as Record<string, unknown>;
  const param = instancePath
    .replace(/^\//, '')
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
  const isInteger = isObject(parentSchema) && parentSchema['type'] === 'integer';
  const problem = (code: string, message: string, at = param): SchemaProblem => ({ code, message, param: at });
  const limit = (side: 'below_min' | 'above_max', expected: string): SchemaProblem => {
    const what = isInteger ? 'integer' : 'decimal';
    const words = side === 'below_min' ? 'below minimum value' : 'above maximum value';
    return problem(
      `${what}_${side}_value`,
      `Invalid '${param}': ${what} ${words}. Expected a value ${expected} ${String(given['limit'])}, but got ${String(data)} instead.`,
    );
  };
  switch (keyword) {
    case 'enum':
      return wrongValue(param, data, given['allowedValues'] as unknown[]);
    case 'const':
      return wrongValue(param, data, [given['allowedValue']]);
    case 'required': {
      const missing = [param, String(given['missingProperty'])].filter((part) => part !== '').join('.');
      return problem('missing_required_parameter', `Missing required parameter: '${missing}'.`, missing);
    }
    case 'type':
      return problem(
        'invalid_type',
        `Invalid type for '${param}': expected ${articled(String(given['type']))}, but got ${articled(kindOf(data))} instead.`,
      );
    case 'minimum':
      return limit('below_min', '>=');
    case 'maximum':
      return limit('above_max', '<=');
    case 'maxLength':
      return problem(
        'string_above_max_length',
        `Invalid '${param}': string too long. Expected a string with maximum length ${String(given['limit'])}, but got a string with length ${String(data).length} instead.`,
      );
    case 'minItems':
      return problem('empty_array', `Invalid '${param}': empty array. Expected an array with minimum length 1.`);
    default:
      return problem('invalid_value', `Invalid '${param}': ${keyword}.`);
  }
}

export function wrongValue(param: string, value: unknown, supported: readonly unknown[]): SchemaProblem {
  const names = supported.map((each) => `'${String(each)}'`);
  const list = names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
  return {
    code: 'invalid_value',
    message: `Invalid value: '${String(value)}'. Supported values are: ${list}.`,
    param,
  };
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
const articled = (kind: string): string => (kind === 'null' ? kind : `${/^[aio]/.test(kind) ? 'an' : 'a'} ${kind}`);
