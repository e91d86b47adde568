/** `npm run configuration`: regenerates the server's table in `docs/configuration.md`. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { updateConfigurationDocument } from '../sync-server/src/compose/config/describe-configuration.ts';

const file = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));
await writeFile(file, updateConfigurationDocument(await readFile(file, 'utf8')));
