/** Generates a minimal plausible value for a JSON schema, always the same one. */

export type JsonSchema = Record<string, unknown>;

export interface ValueSources {
  /** The learner's last words, for fields that quote. */
  said: string;
  /** The coach's next utterance, for fields that are spoken. */
  line: string;
}

/** Recursive schemas end at this depth, with empty lists and null choices. */
const MAX_DEPTH = 12;

export function generateValue(root: JsonSchema, sources: ValueSources): unknown {
  const generate = (given: unknown, name: string, depth: number): unknown => {
    const schema = resolve(root, given);
    if ('const' in schema) return schema['const'];
    if (Array.isArray(schema['enum'])) return schema['enum'][0];
    const choices = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(choices)) return generate(chooseOne(choices, depth), name, depth + 1);
    switch (chooseType(schema, depth)) {
      case 'object':
        return Object.fromEntries(
          Object.entries(propertiesOf(schema)).map(([key, part]) => [key, generate(part, key, depth + 1)]),
        );
      case 'array':
        return Array.from({ length: itemCount(schema, depth) }, () => generate(schema['items'], name, depth + 1));
      case 'string':
        return generateText(schema, name, sources);
      case 'integer':
      case 'number':
        return generateNumber(schema);
      case 'boolean':
        return sources.said.split(/\s+/).length > 3;
      default:
        return null;
    }
  };
  return generate(root, '', 0);
}

/** Resolves `#/definitions/Name` and `#/$defs/Name`. */
function resolve(root: JsonSchema, given: unknown): JsonSchema {
  const schema = isSchema(given) ? given : {};
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
  const found = steps.reduce<unknown>((at, step) => (isSchema(at) ? at[step] : undefined), root);
  return resolve(root, found);
}

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const propertiesOf = (schema: JsonSchema): JsonSchema =>
  isSchema(schema['properties']) ? schema['properties'] : {};

function chooseOne(choices: readonly unknown[], depth: number): unknown {
  const isNull = (choice: unknown): boolean => isSchema(choice) && choice['type'] === 'null';
  const [first] = choices.filter((choice) => isNull(choice) === depth > MAX_DEPTH);
  return first ?? choices[0];
}

function chooseType(schema: JsonSchema, depth: number): unknown {
  const { type } = schema;
  if (!Array.isArray(type)) return type;
  return type.find((one) => (one === 'null') === depth > MAX_DEPTH) ?? type[0];
}

function itemCount(schema: JsonSchema, depth: number): number {
  const least = numeric(schema['minItems']) ?? 0;
  const most = numeric(schema['maxItems']) ?? Infinity;
  return depth > MAX_DEPTH ? least : Math.min(most, Math.max(1, least));
}

function generateNumber(schema: JsonSchema): number {
  const isInteger = schema['type'] === 'integer';
  const step = isInteger ? 1 : 0.5;
  const least = numeric(schema['minimum']) ?? plus(numeric(schema['exclusiveMinimum']), step);
  const most = numeric(schema['maximum']) ?? plus(numeric(schema['exclusiveMaximum']), -step);
  const middle = least !== null && most !== null ? (least + most) / 2 : (least ?? most ?? 1);
  return isInteger ? Math.floor(middle) : middle;
}

const EXAMPLES: Record<string, string> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'anna@example.org',
  uri: 'https://example.org/',
  uuid: '0198f7a0-0000-7000-8000-000000000001',
};
const QUOTED_FIELD = /quote|evidence|said|heard|original|excerpt/i;
const SPOKEN_FIELD = /reply|line|say|text|speech|utterance|answer/i;

/** Ignores patterns: script the answer when a schema has one. */
function generateText(schema: JsonSchema, name: string, { said, line }: ValueSources): string {
  const example = EXAMPLES[String(schema['format'])];
  if (example !== undefined) return example;
  const plain = `A short note on the ${name === '' ? 'answer' : name.replace(/([A-Z])/g, ' $1').toLowerCase()}.`;
  const text = QUOTED_FIELD.test(name) && said !== '' ? said : SPOKEN_FIELD.test(name) ? line : plain;
  return text
    .padEnd(numeric(schema['minLength']) ?? 0, ' and so on')
    .slice(0, numeric(schema['maxLength']) ?? undefined);
}

const numeric = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const plus = (value: number | null, step: number): number | null => (value === null ? null : value + step);
