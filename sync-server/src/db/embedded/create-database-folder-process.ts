/** Creates an empty embedded database in the given folder, and exits. */
import { PGlite } from '@electric-sql/pglite';

// If the server is killed, it cannot stop this process, and the next server may already be creating its own database.
process.once('disconnect', () => process.exit(1));
const [, , folder = ''] = process.argv;
const pglite = await PGlite.create(folder);
await pglite.close();
process.exit(0);
