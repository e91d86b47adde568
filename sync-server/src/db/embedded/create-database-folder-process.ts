/** Creates an empty embedded database in the folder that it is given, and ends. */
import { PGlite } from '@electric-sql/pglite';

const [, , folder = ''] = process.argv;
const pglite = await PGlite.create(folder);
await pglite.close();
