/** Uses the same device as on the default database. */
import '../parley/client.ts';
