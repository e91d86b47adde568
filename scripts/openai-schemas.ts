/**
 * `npm run openai-schemas -- <openapi.json> [revised YYYY-MM-DD] [revision]`: takes from OpenAI's OpenAPI document what the fakes check against.
 * The document is `openapi.json` of github.com/openai/openai-openapi; the day and the revision are those of its last commit.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { extractSchemas } from '../sync-server/src/integrations/openai/schemas/extract.ts';

const target = fileURLToPath(
  new URL('../sync-server/src/integrations/openai/schemas/openai-schemas.json', import.meta.url),
);

const { positionals } = parseArgs({ allowPositionals: true });
const [file, revised, revision] = positionals;
if (file === undefined) {
  console.error('Say which document: npm run openai-schemas -- openapi.json 2026-08-21 f85dbe2');
  process.exit(2);
}

const schemas = extractSchemas(JSON.parse(await readFile(file, 'utf8')));
const stored = await readStored();
const isUnchanged = JSON.stringify(stored?.schemas) === JSON.stringify(schemas);
if (revised === undefined && !isUnchanged) {
  console.error('The schemas are other than the stored ones. Say from which day the document is, and its revision:');
  console.error(`npm run openai-schemas -- ${file} 2026-08-21 f85dbe2`);
  process.exit(2);
}
if (revised !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(revised)) {
  console.error(`The day must be written as 2026-08-21, not as ${revised}.`);
  process.exit(2);
}

const head = {
  source: 'https://github.com/openai/openai-openapi (openapi.json)',
  licence: 'MIT, see LICENSE',
  revised: revised ?? stored?.revised,
  revision: revision ?? (revised === undefined ? stored?.revision : 'not said'),
};
// One schema a line, so that a new revision shows as the schemas that changed.
const lines = Object.entries(schemas).map(([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`);
const opening = JSON.stringify(head, null, 2).replace(/\n}$/, '');
const text = `${opening},\n  "schemas": {\n${lines.join(',\n')}\n  }\n}\n`;
await writeFile(target, text);
console.log(
  `${lines.length} schemas, ${Math.round(Buffer.byteLength(text) / 1_024)} KiB, revised ${head.revised} (${head.revision}).`,
);

async function readStored(): Promise<{ schemas: unknown; revised: string; revision: string } | null> {
  try {
    return JSON.parse(await readFile(target, 'utf8')) as { schemas: unknown; revised: string; revision: string };
  } catch {
    return null;
  }
}
