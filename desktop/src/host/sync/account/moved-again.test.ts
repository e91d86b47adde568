/**
 * Work without an account that moves into an account a second time, from another device or from an old copy of the data
 * folder.
 */
import { cpSync, rmSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDevices, learnerTexts, sessionIdsOf, typeTurns, untilSynced } from '../../test-kit/devices.ts';
import { aClock, aDataFolder, type OpenHost } from '../../test-kit/open-host.ts';
import { aMailbox } from '../../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';

const HOUR_MS = 3_600_000;
const clock = aClock();
const mailbox = aMailbox();
let server: TestServer;
let learners = 0;
let email = '';
const devices = createDevices(() => ({ serverUrl: server.url, clock }));
beforeAll(async () => {
  server = await startServer({ now: clock.now, account: { access: 'open' }, enqueueMail: mailbox.enqueueMail });
});
beforeEach(() => {
  learners += 1;
  email = `again${learners}@example.com`;
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

const textsOf = async (device: OpenHost): Promise<string[]> => {
  const texts: string[] = [];
  for (const sessionId of await sessionIdsOf(device)) texts.push(...(await learnerTexts(device, sessionId)));
  return texts.toSorted();
};

const findCourse = async ({ ask }: OpenHost) => {
  const [course] = await ask.courses.list();
  if (course === undefined) throw new Error('the catalogue has no course');
  return course;
};

/** Changes in the account after the first move. */
async function discardAndLeave(device: OpenHost): Promise<void> {
  for (const { sessionId } of (await device.ask.history.list({ search: 'discard', offset: 0, limit: 50 })).items)
    await device.ask.practice.discard({ sessionId });
  await device.ask.courses.leave({ courseId: (await findCourse(device)).courseId });
  await untilSynced(device);
}

/** A device without an account, whose work is entirely on the server. */
async function aDeviceWithWork(): Promise<OpenHost> {
  const device = await devices.open();
  await typeTurns(device, 'bananas to keep');
  await typeTurns(device, 'bananas to discard');
  await device.ask.courses.enrol({ courseId: (await findCourse(device)).courseId });
  await untilSynced(device);
  return device;
}

async function expectNothingRevived(...signedIn: OpenHost[]): Promise<void> {
  await untilSynced(...signedIn, ...signedIn);
  for (const device of signedIn) {
    expect(await textsOf(device)).toEqual(['bananas said since', 'bananas to keep']);
    expect(await findCourse(device)).toMatchObject({ isEnrolled: false });
  }
}

describe('work that moves into an account a second time', () => {
  it('from another device brings nothing back that was deleted or left there', async () => {
    const phone = await devices.open();
    await mailbox.signIn(phone, email);
    const laptop = await aDeviceWithWork();
    const desktop = await devices.openJoined(laptop);
    await untilSynced(desktop);
    await mailbox.signIn(laptop, email);
    await untilSynced(laptop, phone);
    clock.pass(HOUR_MS);
    await discardAndLeave(phone);
    clock.pass(HOUR_MS);
    // The other device was offline meanwhile.
    await typeTurns(desktop, 'bananas said since');
    await mailbox.signIn(desktop, email);
    await expectNothingRevived(desktop, phone, laptop);
  });

  it('from an old copy of the data folder brings nothing back either', async () => {
    const phone = await devices.open();
    await mailbox.signIn(phone, email);
    const laptop = await aDeviceWithWork();
    await devices.close(laptop);
    const copy = joinPath(aDataFolder(), 'copy');
    cpSync(laptop.dataDir, copy, { recursive: true });
    const later = await devices.open({ dataDir: laptop.dataDir });
    await mailbox.signIn(later, email);
    await untilSynced(later, phone);
    await devices.close(later);
    clock.pass(HOUR_MS);
    await discardAndLeave(phone);
    rmSync(laptop.dataDir, { recursive: true });
    cpSync(copy, laptop.dataDir, { recursive: true });
    clock.pass(HOUR_MS);
    const restored = await devices.open({ dataDir: laptop.dataDir });
    await typeTurns(restored, 'bananas said since');
    await mailbox.signIn(restored, email);
    await expectNothingRevived(restored, phone);
  });
});
