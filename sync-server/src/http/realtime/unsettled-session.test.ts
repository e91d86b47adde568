import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRealtimeFixture, type RealtimeFixture } from '../../../test-kit/realtime/realtime-fixture.ts';

let home: RealtimeFixture;
beforeAll(async () => {
  home = await openRealtimeFixture();
});
afterAll(() => home.close());

it('logs why a session could not be settled after its device has gone', async () => {
  const { db } = home.server.database;
  const call = await home.begin();
  await call.playToEnd();
  await db.execute(sql`create function refuse_to_settle() returns trigger language plpgsql as
    $$ begin raise exception 'the lease cannot be released'; end $$`);
  await db.execute(sql`create trigger refuse_to_settle before delete on ai_leases
    for each row execute function refuse_to_settle()`);
  call.terminate();
  await expect.poll(() => home.server.log()).toContain('the lease cannot be released');
});
