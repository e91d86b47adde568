/** Calls of one learner on two devices, on a server whose plans do not limit the time. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { aBeginMessage, type RealtimeClient } from '../../../test-kit/realtime/realtime-client.ts';
import { openRealtimeFixture, type RealtimeFixture } from '../../../test-kit/realtime/realtime-fixture.ts';

let home: RealtimeFixture;
beforeAll(async () => {
  home = await openRealtimeFixture({ isMetered: false });
});
beforeEach(() => home.moveIn());
afterAll(() => home.close());

async function expectRefused(call: RealtimeClient): Promise<void> {
  expect(call.all('ready')).toEqual([]);
  await expectEndedElsewhere(call);
}

async function expectEndedElsewhere(call: RealtimeClient): Promise<void> {
  await call.closed;
  expect(call.messages.at(-1)).toEqual({ type: 'failed', code: 'live.elsewhere' });
}

async function hangUp(call: RealtimeClient): Promise<void> {
  call.sendMessage({ type: 'end' });
  await call.closed;
  expect(call.messages.at(-1)).toMatchObject({ type: 'over', reason: 'ended' });
}

it('a second device is refused until the learner moves the call there', async () => {
  const laptop = await home.begin();
  await expectRefused(await home.begin({}, home.phone));
  expect(laptop.all('failed')).toEqual([]);
  const phone = await home.begin({ takeOver: true }, home.phone);
  await expectEndedElsewhere(laptop);
  await hangUp(phone);
});

it('a first device that reconnects does not end the call that was moved to the second', async () => {
  const { held } = aBeginMessage(home.ids);
  const laptop = await home.begin({ held });
  const phone = await home.begin({ held, takeOver: true }, home.phone);
  await expectEndedElsewhere(laptop);
  await expectRefused(await home.begin({ held }, home.laptop));
  await hangUp(phone);
});
