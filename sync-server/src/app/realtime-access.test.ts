import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eventually, openRealtimeHome, type RealtimeHome } from '../test-kit/realtime-home.ts';

let home: RealtimeHome;
beforeAll(async () => {
  home = await openRealtimeHome();
});
beforeEach(() => home.moveIn());
afterAll(() => home.close());

it('who has no access does not get so far as to begin', async () => {
  home.hasAccess = false;
  await expect(home.call()).rejects.toThrow('403');
  expect(await home.leases()).toEqual([]);
});

it('who loses access in the middle of a conversation hears why, within seconds, and the provider is hung up on', async () => {
  const call = await home.begin();
  await call.hearOut();
  home.hasAccess = false;
  home.server.pass(3_000);
  expect(await call.next('failed')).toMatchObject({ code: 'access.required' });
  await call.closed;
  await eventually(async () => (await home.leases()).length === 0);
  expect(home.provider().state).toBe('closed');
});

it('who keeps it goes on, minute after minute', async () => {
  const call = await home.begin();
  await call.hearOut();
  for (let minute = 0; minute < 3; minute += 1) {
    home.server.pass(51_000);
    await eventually(
      async () => ((await home.leases())[0]?.expiresAt.getTime() ?? 0) > home.server.now().getTime() + 50_000,
    );
  }
  expect(call.all('failed')).toEqual([]);
  call.tell({ type: 'end' });
  await call.closed;
});
