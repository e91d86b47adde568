/**
 * `npm run openai-schemas -- <openapi.json> [revised YYYY-MM-DD] [revision]`: extracts from OpenAI's OpenAPI document the schemas that the fakes validate against.
 * The document is `openapi.json` of github.com/openai/openai-openapi; the date and the revision are those of its last commit.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { extractSchemas } from '@parley/fakes/openai/schemas/extract.ts';

const target = fileURLToPath(new URL('../fakes/src/openai/schemas/openai-schemas.json', import.meta.url));

const { positionals } = parseArgs({ allowPositionals: true });
const [file, revised, revision] = positionals;
if (file === undefined) {
  console.error('Name the document: npm run openai-schemas -- openapi.json 2026-08-21 f85dbe2');
  process.exit(2);
}

const schemas = extractSchemas(JSON.parse(await readFile(file, 'utf8')));
const stored = await readStored();
const isUnchanged = JSON.stringify(stored?.schemas) === JSON.stringify(schemas);
if (revised === undefined && !isUnchanged) {
  console.error('The schemas differ from the stored ones. Give the date and the revision of the document:');
  console.error(`npm run openai-schemas -- ${file} 2026-08-21 f85dbe2`);
  process.exit(2);
}
if (revised !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(revised)) {
  console.error(`The date must look like 2026-08-21, not ${revised}.`);
  process.exit(2);
}

const head = {
  source: 'https://github.com/openai/openai-openapi (openapi.json)',
  licence: 'MIT, see LICENSE',
  revised: revised ?? stored?.revised,
  revision: revision ?? (revised === undefined ? stored?.revision : 'not said'),
};
// One schema per line, so that the diff of a new revision shows only the schemas that changed.
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
