/** Preloads the code of the server, then waits for the message that says which database it serves. */
import { once } from 'node:events';
import { z } from 'zod';
import '../../../sync-server/src/index.ts';

const [storage]: unknown[] = await once(process, 'message');
Object.assign(process.env, z.record(z.string(), z.string()).parse(storage));
