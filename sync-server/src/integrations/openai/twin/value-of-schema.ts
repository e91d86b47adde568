/** A value of a JSON schema, always the same one: the least that is plausible. */

export type JsonSchema = Record<string, unknown>;

export interface Material {
  /** What the learner said last, for whatever quotes. */
  said: string;
  /** The coach's next line, for whatever is said. */
  line: string;
}

/** Schemas that contain themselves end here, with lists empty and choices null. */
const DEEPEST = 12;

export function valueOfSchema(root: JsonSchema, material: Material): unknown {
  const valueOf = (given: unknown, name: string, depth: number): unknown => {
    const schema = resolve(root, given);
    if ('const' in schema) return schema['const'];
    if (Array.isArray(schema['enum'])) return schema['enum'][0];
    const choices = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(choices)) return valueOf(chooseOne(choices, depth), name, depth + 1);
    switch (typeOf(schema, depth)) {
      case 'object':
        return Object.fromEntries(
          Object.entries(propertiesOf(schema)).map(([key, part]) => [key, valueOf(part, key, depth + 1)]),
        );
      case 'array':
        return Array.from({ length: itemCount(schema, depth) }, () => valueOf(schema['items'], name, depth + 1));
      case 'string':
        return textOf(schema, name, material);
      case 'integer':
      case 'number':
        return numberOf(schema);
      case 'boolean':
        return material.said.split(/\s+/).length > 3;
      default:
        return null;
    }
  };
  return valueOf(root, '', 0);
}

/** `#/definitions/Name` and `#/$defs/Name`. */
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
  const [first] = choices.filter((choice) => isNull(choice) === depth > DEEPEST);
  return first ?? choices[0];
}

function typeOf(schema: JsonSchema, depth: number): unknown {
  const { type } = schema;
  if (!Array.isArray(type)) return type;
  return type.find((one) => (one === 'null') === depth > DEEPEST) ?? type[0];
}

function itemCount(schema: JsonSchema, depth: number): number {
  const least = numeric(schema['minItems']) ?? 0;
  const most = numeric(schema['maxItems']) ?? Infinity;
  return depth > DEEPEST ? least : Math.min(most, Math.max(1, least));
}

function numberOf(schema: JsonSchema): number {
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
const QUOTES = /quote|evidence|said|heard|original|excerpt/i;
const SPOKEN = /reply|line|say|text|speech|utterance|answer/i;

/** Patterns are beyond it: script the answer where a schema has one. */
function textOf(schema: JsonSchema, name: string, { said, line }: Material): string {
  const example = EXAMPLES[String(schema['format'])];
  if (example !== undefined) return example;
  const plain = `A short note on the ${name === '' ? 'answer' : name.replace(/([A-Z])/g, ' $1').toLowerCase()}.`;
  const text = QUOTES.test(name) && said !== '' ? said : SPOKEN.test(name) ? line : plain;
  return text
    .padEnd(numeric(schema['minLength']) ?? 0, ' and so on')
    .slice(0, numeric(schema['maxLength']) ?? undefined);
}

const numeric = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const plus = (value: number | null, step: number): number | null => (value === null ? null : value + step);
