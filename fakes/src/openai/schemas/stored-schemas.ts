/** Loads the schemas that `npm run openai-schemas` extracted from OpenAI's document. */
import { readFileSync } from 'node:fs';

/** The keywords that occur in the stored schemas. */
export interface Schema {
  $ref?: string;
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  [keyword: string]: unknown;
}

interface StoredSchemas {
  /** The date of the document. */
  revised: string;
  schemas: Readonly<Record<string, Schema>>;
}

let cached: StoredSchemas | null = null;

/** The file is read once, and only when something is checked. */
export function loadSchemas(): StoredSchemas {
  cached ??= JSON.parse(readFileSync(new URL('openai-schemas.json', import.meta.url), 'utf8')) as StoredSchemas;
  return cached;
}
