/** Reads the id by which apps recognise this server. */
import { sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { serverState } from '../../db/tables.ts';

/**
 * The id never changes, so it is read once. It is null while the database does not answer; apps then go by the address.
 */
export function createServerIdReader(db: Database): () => Promise<string | null> {
  let known: string | null = null;
  return async () => {
    known ??= await db
      .update(serverState)
      .set({ serverId: sql`coalesce(${serverState.serverId}, gen_random_uuid())` })
      .returning({ serverId: serverState.serverId })
      .then(
        ([state]) => state?.serverId ?? null,
        () => null,
      );
    return known;
  };
}
