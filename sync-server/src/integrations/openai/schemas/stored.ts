/** The schemas that `npm run openai-schemas` has taken from OpenAI's document. */
import { readFileSync } from 'node:fs';

/** The keywords that the stored schemas have. */
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
  /** The day of the document. */
  revised: string;
  schemas: Readonly<Record<string, Schema>>;
}

let stored: StoredSchemas | null = null;

/** Read once, and only when something is checked. */
export function storedSchemas(): StoredSchemas {
  stored ??= JSON.parse(readFileSync(new URL('openai-schemas.json', import.meta.url), 'utf8')) as StoredSchemas;
  return stored;
}
