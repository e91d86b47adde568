import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LATE_DELIVERY, LATE_REPLY } from '../test-kit/test-catalogue.ts';
import { type OpenHost, openHost, startPractice } from '../test-kit/open-host.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

let server: TestServer;
let one: OpenHost;
beforeAll(async () => {
  server = await startServer();
  one = await openHost({ serverUrl: server.url });
  await one.host.whenIdle();
});
afterAll(async () => {
  await one.host.close();
  await server.close();
});

it('lets a learner finish a practice that is withdrawn in the meantime, and offers it no more', async () => {
  const { ask } = one;
  const { sessionId } = await startPractice(ask, 'text');
  await server.execute(sql`update sync_scopes set version = version + 1 where scope = 'catalogue'`);
  await server.execute(sql`update practices set deleted_at = now(), availability = 'not_visible', dialogue = null,
    scenario = '', sync_version = (select version from sync_scopes where scope = 'catalogue')
    where practice_id = ${LATE_DELIVERY}`);
  expect(await ask.sync.run()).toMatchObject({ state: 'idle' });
  expect((await ask.catalogue.practices()).map(({ practiceId }) => practiceId)).not.toContain(LATE_DELIVERY);
  await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
  const { turns } = await ask.practice.session({ sessionId });
  expect(turns.map(({ role }) => role)).toEqual(['coach', 'learner', 'coach']);
});
