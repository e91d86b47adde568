import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openMemoryDatabase } from './memory-database.ts';

it('lends a database without the settings that another test made', async () => {
  const first = await openMemoryDatabase();
  await first.db.execute(sql`set session_replication_role = replica`);
  await first.close();
  const second = await openMemoryDatabase();
  expect(await second.db.execute(sql`show session_replication_role`)).toMatchObject({
    rows: [{ session_replication_role: 'origin' }],
  });
  await second.close();
});
