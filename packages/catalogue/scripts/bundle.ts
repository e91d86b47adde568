/** `npm run bundle -w @parley/catalogue` builds the JSON files that ship from the content files, and the schema of course packs. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { buildCatalogue } from '../src/build-catalogue.ts';
import { packSchema } from '../src/pack/index.ts';
import { readSharedActs } from '../src/scenes/index.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const content = here('../content');
const write = (file: string, value: unknown): Promise<void> =>
  writeFile(here(`../src/generated/${file}.json`), `${JSON.stringify(value)}\n`);

await write('starter-catalogue', await buildCatalogue(content));
await write('shared-acts', readSharedActs(content));

const schemaFile = here('../../../docs/course-pack.schema.json');
const style = await resolveConfig(schemaFile);
await writeFile(schemaFile, await format(JSON.stringify(packSchema(), null, 2), { ...style, filepath: schemaFile }));
