/** `npm run bundle -w @parley/catalogue`: content files to the JSON that ships. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildCatalogue } from '../src/build-catalogue.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const catalogue = await buildCatalogue(here('../content'));
await writeFile(here('../src/generated/starter-catalogue.json'), `${JSON.stringify(catalogue)}\n`);
