/** `npm run protocol`: regenerates the generated parts of `docs/protocol.md`. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { updateProtocolDocument } from '../packages/contract/src/sync/describe-protocol.ts';

const file = fileURLToPath(new URL('../docs/protocol.md', import.meta.url));
await writeFile(file, updateProtocolDocument(await readFile(file, 'utf8')));
