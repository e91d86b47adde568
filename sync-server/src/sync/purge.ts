/** Forgets deletions that every device has had half a year to hear of. */
import { columnName, ENTITY_KEYS, entities, type EntityKey, type Field } from '@parley/domain';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { syncScopes, tables } from '../db/tables.ts';

const TOMBSTONE_DAYS = 180;
export const PURGE_EVERY_MS: number = 24 * 3_600_000;

const Purged = z.object({ userId: z.uuid(), version: z.coerce.number() });

/** Rows forgotten. A device that has not come as far as the newest of them is answered `sync.resync` from here on. */
export async function purgeTombstones({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const before = new Date(now().getTime() - TOMBSTONE_DAYS * 24 * 3_600_000).toISOString();
  return db.transaction(async (tx) => {
    let count = 0;
    const floors = new Map<string, number>();
    // Rows that refer to others go first.
    for (const key of PURGED_KEYS.toReversed()) {
      const { rows } = (await tx.execute(purgeOf(key, before))) as { rows: unknown[] };
      for (const { userId, version } of z.array(Purged).parse(rows)) {
        count += 1;
        floors.set(userId, Math.max(version, floors.get(userId) ?? 0));
      }
    }
    for (const [userId, floor] of floors)
      await tx
        .update(syncScopes)
        .set({ floor: sql`greatest(${syncScopes.floor}, ${floor})` })
        .where(sql`${syncScopes.scope} = ${userScope(userId)}`);
    return count;
  });
}

const PURGED_KEYS: readonly EntityKey[] = ENTITY_KEYS.filter(
  (key) => entities[key].owner === 'learner' && key !== 'users',
);

function purgeOf(key: EntityKey, before: string): SQL {
  const columns = getTableColumns(tables[key]) as Record<string, AnyPgColumn>;
  const isUsed = ENTITY_KEYS.flatMap((other) =>
    Object.entries(entities[other].fields as Record<string, Field>)
      .filter(([, { references }]) => references?.entity === entities[key].name)
      .map(([name, field]) => {
        const to = columns[field.references?.field ?? ''];
        return sql`and not exists (select from ${tables[other]} as other where other.${sql.identifier(columnName(name))} = ${to})`;
      }),
  );
  return sql`delete from ${tables[key]} where ${columns['deletedAt']} < ${before}::timestamptz
    ${sql.join(isUsed, sql` `)}
    returning ${columns['userId']} as "userId", ${columns['syncVersion']} as version`;
}
