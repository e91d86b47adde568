/** Checks a request or an answer against OpenAI's document and describes the problem as the service does. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isObject, matchingMembers } from './narrow-union.ts';
import { type Schema, loadSchemas } from './stored-schemas.ts';
import { findUnknownName } from './unknown-names.ts';

export interface SchemaProblem {
  code: string;
  message: string;
  /** Such as `input[0].role`; empty for the whole value. */
  param: string;
}

/** Validating the stored schemas takes a second and would always succeed. */
const OPTIONS = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
  code: { optimize: false },
  inlineRefs: false,
} as const;
const KEY = 'openai';

let ajv: Ajv2020 | null = null;

/** Returns null when the value matches the schema and has no unknown names. */
export function schemaProblem(name: string, value: unknown): SchemaProblem | null {
  const { schemas } = loadSchemas();
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`No schema is named ${name}.`);
  const unknown = findUnknownName(schemas, schema, value);
  if (unknown !== null)
    return { code: 'unknown_parameter', message: `Unknown parameter: '${unknown}'.`, param: unknown };
  return getValidator(name)(value) ? null : explainProblem(schema, value);
}

/** Checks an event against the member of the union that has its type. */
export function eventProblem(union: string, event: unknown): SchemaProblem | null {
  const types = eventSchemas(union);
  const type = isObject(event) ? event['type'] : undefined;
  if (type === undefined)
    return { code: 'missing_required_parameter', message: "Missing required parameter: 'type'.", param: 'type' };
  const name = typeof type === 'string' ? types.get(type) : undefined;
  return name === undefined ? wrongValue('type', type, [...types.keys()]) : schemaProblem(name, event);
}

/** Compiles the schemas in advance: it takes half a second that would delay the first answer. */
export function prepareSchemas({ names = [], unions = [] }: { names?: string[]; unions?: string[] }): void {
  for (const name of [...names, ...unions.flatMap((union) => [...eventSchemas(union).values()])]) getValidator(name);
}

const eventsByUnion = new Map<string, ReadonlyMap<string, string>>();

/** Maps each event type to the name of its schema. */
function eventSchemas(union: string): ReadonlyMap<string, string> {
  const known = eventsByUnion.get(union);
  if (known !== undefined) return known;
  const { schemas } = loadSchemas();
  const names = (schemas[union]?.anyOf ?? []).map(({ $ref = '' }) => $ref.replace('#/$defs/', ''));
  const narrowedMembers = new Map(
    names.map((name) => [String(constantValue(schemas[name]?.properties?.['type'])), name]),
  );
  eventsByUnion.set(union, narrowedMembers);
  return narrowedMembers;
}

const constantValue = (schema: Schema | undefined): unknown => schema?.const ?? schema?.enum?.[0];

function getValidator(name: string): ValidateFunction {
  if (ajv === null) {
    const closedByName = Object.entries(loadSchemas().schemas).map(([each, schema]) => [
      each,
      disallowUnknownNames(schema),
    ]);
    ajv = new Ajv2020(OPTIONS).addSchema({ $id: KEY, $defs: Object.fromEntries(closedByName) as Schema });
  }
  const validate = ajv.getSchema(`${KEY}#/$defs/${name}`);
  if (validate === undefined) throw new Error(`No schema is named ${name}.`);
  return validate;
}

/** OpenAI's document rarely forbids additional properties, but the service rejects them everywhere. */
function disallowUnknownNames(schema: Schema): Schema {
  const { properties, items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(disallowUnknownNames) }),
    ...(items === undefined ? {} : { items: disallowUnknownNames(items) }),
    ...(isObject(additionalProperties) ? { additionalProperties: disallowUnknownNames(additionalProperties) } : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, part]) => [name, disallowUnknownNames(part)]),
          ),
          additionalProperties: additionalProperties === undefined ? false : schema.additionalProperties,
        }),
  };
}

/** Narrows each union to the member that the value means, so that the first error is the relevant one. Runs only after a failure. */
function explainProblem(schema: Schema, value: unknown): SchemaProblem {
  const validate = new Ajv2020({ ...OPTIONS, allErrors: true, verbose: true }).compile(narrowSchema(schema, value));
  validate(value);
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf');
  const [mostSpecific] = errors.toSorted((a, b) => pathDepth(b) - pathDepth(a) || errorRank(a) - errorRank(b));
  if (mostSpecific === undefined) return { code: 'invalid_value', message: 'The request is not valid.', param: '' };
  // The value may match several members, so the allowed values of all of them are listed.
  const alike = errors.filter(
    ({ keyword, instancePath }) => keyword === 'enum' && instancePath === mostSpecific.instancePath,
  );
  const allowed = alike.flatMap(({ params }) => (params as { allowedValues: unknown[] }).allowedValues);
  return toSchemaProblem(
    mostSpecific.keyword === 'enum'
      ? { ...mostSpecific, params: { allowedValues: [...new Set(allowed)] } }
      : mostSpecific,
  );
}

const pathDepth = ({ instancePath }: ErrorObject): number => instancePath.split('/').length;
/** An error about an allowed value says most; an error about a missing null says least. */
const errorRank = ({ keyword, params }: ErrorObject): number => {
  if (keyword === 'type') return (params as { type: unknown }).type === 'null' ? 3 : 2;
  return keyword === 'enum' || keyword === 'const' ? 0 : 1;
};

function narrowSchema(schema: Schema, value: unknown): Schema {
  const members = matchingMembers(loadSchemas().schemas, schema, value);
  const narrowedMembers = members.map((member): Schema => {
    const { properties, items } = member;
    if (Array.isArray(value) && items !== undefined)
      return { ...member, items: true, prefixItems: value.map((one) => narrowSchema(items, one)) } as unknown as Schema;
    if (!isObject(value) || properties === undefined) return withoutReferences(member);
    const parts = Object.entries(properties).map(([name, part]) => [
      name,
      name in value ? narrowSchema(part, value[name]) : {},
    ]);
    return { ...member, properties: Object.fromEntries(parts) as Record<string, Schema> };
  });
  return narrowedMembers.length === 1 ? (narrowedMembers[0] ?? {}) : { anyOf: narrowedMembers };
}

/** For a value of another type it is enough to report the type. */
const withoutReferences = ({ type, enum: values, ...rest }: Schema): Schema =>
  type === 'array' || type === 'object'
    ? { type }
    : { ...rest, ...(type === undefined ? {} : { type }), ...(values === undefined ? {} : { enum: values }) };

function toSchemaProblem({ keyword, instancePath, params, data, parentSchema }: ErrorObject): SchemaProblem {
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
        `Invalid type for '${param}': expected ${withArticle(String(given['type']))}, but got ${withArticle(jsonTypeOf(data))} instead.`,
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

const jsonTypeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
const withArticle = (kind: string): string => (kind === 'null' ? kind : `${/^[aio]/.test(kind) ? 'an' : 'a'} ${kind}`);
