import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { waitUntil, openRealtimeFixture, type RealtimeFixture } from '../../../test-kit/realtime/realtime-fixture.ts';

let home: RealtimeFixture;
beforeAll(async () => {
  home = await openRealtimeFixture();
});
beforeEach(() => home.moveIn());
afterAll(() => home.close());

it('a learner without access cannot begin', async () => {
  home.hasAccess = false;
  await expect(home.call()).rejects.toThrow('403');
  expect(await home.readLeases()).toEqual([]);
});

it('ends the call of a learner who loses access within seconds, and closes the provider', async () => {
  const call = await home.begin();
  await call.playToEnd();
  home.hasAccess = false;
  home.server.advanceClock(3_000);
  expect(await call.next('failed')).toMatchObject({ code: 'access.required' });
  await call.closed;
  await waitUntil(async () => (await home.readLeases()).length === 0);
  expect(home.latestProviderSession().state).toBe('closed');
});

it('a learner who keeps access continues minute after minute', async () => {
  const call = await home.begin();
  await call.playToEnd();
  for (let minute = 0; minute < 3; minute += 1) {
    home.server.advanceClock(51_000);
    await waitUntil(
      async () => ((await home.readLeases())[0]?.expiresAt.getTime() ?? 0) > home.server.now().getTime() + 50_000,
    );
  }
  expect(call.all('failed')).toEqual([]);
  call.sendMessage({ type: 'end' });
  await call.closed;
});
