/** Loaded before the server's main module: loads its code, then waits to be told which database it serves. */
import { once } from 'node:events';
import { z } from 'zod';
import '../../../sync-server/src/index.ts';

const [place]: unknown[] = await once(process, 'message');
Object.assign(process.env, z.record(z.string(), z.string()).parse(place));
