/** What OpenAI refuses in a strict schema: fields that may be missing, and fields that nobody named. */
import { isSchema, type JsonSchema, propertiesOf } from './value-of-schema.ts';

/** A sentence like OpenAI's own, or null. */
export function strictSchemaProblem(schema: JsonSchema): string | null {
  if (schema['type'] !== 'object') return 'schema must be a JSON Schema of \'type: "object"\'';
  return problemWithin(schema, 'the schema');
}

function problemWithin(schema: JsonSchema, at: string): string | null {
  if (isSchema(schema['properties'])) {
    if (schema['additionalProperties'] !== false) return `'additionalProperties' is required to be false in ${at}`;
    const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    const missing = Object.keys(propertiesOf(schema)).find((key) => !required.includes(key));
    if (missing !== undefined) return `'required' is required to include every key in properties. Missing '${missing}'`;
  }
  for (const [key, part] of Object.entries(schema)) {
    const parts = Array.isArray(part) ? part : [part];
    for (const one of parts) {
      const problem = isSchema(one) && key !== 'enum' && key !== 'const' ? problemWithin(one, `${at}/${key}`) : null;
      if (problem !== null) return problem;
    }
  }
  return null;
}
