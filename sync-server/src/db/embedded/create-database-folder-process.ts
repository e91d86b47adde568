/** Creates an empty embedded database in the folder that it is given, and ends. */
import { PGlite } from '@electric-sql/pglite';

// A server that was killed cannot stop this process, and the next one may be creating its database already.
process.once('disconnect', () => process.exit(1));
const [, , folder = ''] = process.argv;
const pglite = await PGlite.create(folder);
await pglite.close();
process.exit(0);
