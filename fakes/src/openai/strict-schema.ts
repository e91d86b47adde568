/** Checks the rules of OpenAI's strict schemas: no optional and no additional properties. */
import { isSchema, type JsonSchema, propertiesOf } from './generate-value.ts';

/** Returns an error message like OpenAI's, or null. */
export function strictSchemaProblem(schema: JsonSchema): string | null {
  if (schema['type'] !== 'object') return 'schema must be a JSON Schema of \'type: "object"\'';
  return findProblem(schema, 'the schema');
}

function findProblem(schema: JsonSchema, at: string): string | null {
  if (isSchema(schema['properties'])) {
    if (schema['additionalProperties'] !== false) return `'additionalProperties' is required to be false in ${at}`;
    const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    const missing = Object.keys(propertiesOf(schema)).find((key) => !required.includes(key));
    if (missing !== undefined) return `'required' is required to include every key in properties. Missing '${missing}'`;
  }
  for (const [key, part] of Object.entries(schema)) {
    const parts = Array.isArray(part) ? part : [part];
    for (const one of parts) {
      const problem = isSchema(one) && key !== 'enum' && key !== 'const' ? findProblem(one, `${at}/${key}`) : null;
      if (problem !== null) return problem;
    }
  }
  return null;
}
