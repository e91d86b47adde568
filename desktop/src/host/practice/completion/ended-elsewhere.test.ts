/** A turn that this device recorded, and has not sent, when another device ends the session. */
import { LinkCode } from '@parley/contract';
import type { SessionId } from '@parley/domain';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenHost, openHost, recordTurn, removeDataFolders, voiceLikePcm } from '../../test-kit/open-host.ts';
import { readRecordingStates } from '../../test-kit/read-database.ts';
import { LATE_DELIVERY, LATE_REPLY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';

let server: TestServer;
let opened: OpenHost[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
  removeDataFolders();
});
afterAll(() => server.close());

async function open(dataDir?: string): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url, ...(dataDir === undefined ? {} : { dataDir }) });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

async function sync({ ask }: OpenHost): Promise<void> {
  await expect.poll(async () => await ask.sync.run(), { timeout: 10_000 }).toMatchObject({ state: 'idle', waiting: 0 });
}

/** Starts a session on one of a learner's two devices and has it on both. */
async function aSharedSession(): Promise<{ here: OpenHost; there: OpenHost; sessionId: SessionId }> {
  const [here, there] = [await open(), await open()];
  const { code } = await here.ask.account.createLinkCode();
  await there.ask.account.join({ code: LinkCode.parse(code) });
  const { sessionId } = await here.ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'audio',
  });
  await sync(here);
  await sync(there);
  return { here, there, sessionId };
}

async function endThere({ there, here, sessionId }: Awaited<ReturnType<typeof aSharedSession>>): Promise<void> {
  await there.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
  expect((await there.ask.practice.finish({ sessionId })).status).toBe('completed');
  await sync(there);
  await sync(here);
  expect((await here.ask.practice.session({ sessionId })).phase).toBe('scored');
}

describe('a turn of a session that another device has ended', () => {
  it.each(['result', 'finish'] as const)('that waits is kept with the result, which %s returns', async (action) => {
    const shared = await aSharedSession();
    const { here, sessionId } = shared;
    const { turnId, recordingId } = await recordTurn(here.ask, sessionId);
    await here.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    await endThere(shared);

    expect(await here.ask.practice[action]({ sessionId })).toMatchObject({
      status: 'completed',
      unsent: [{ status: 'heard', turnId, recordingId, text: LATE_REPLY }],
    });
    expect(readRecordingStates(here.dataDir)).toEqual(['unsent']);
  });

  it('that waits is kept although its result is never opened', async () => {
    const shared = await aSharedSession();
    const { here, sessionId } = shared;
    const { turnId } = await recordTurn(here.ask, sessionId);
    await here.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    await endThere(shared);
    await here.host.close();
    opened = opened.filter((one) => one !== here);

    await open(here.dataDir);
    expect(readRecordingStates(here.dataDir)).toEqual(['unsent']);
  });

  it('that is being recorded is closed, kept, and transcribed later', async () => {
    const shared = await aSharedSession();
    const { here, sessionId } = shared;
    const pcm = voiceLikePcm(2_000);
    const { turnId, recordingId } = await recordTurn(here.ask, sessionId, pcm);
    await endThere(shared);
    // The window shows the result as soon as it can, and the learner is still speaking.
    expect((await here.ask.practice.result({ sessionId })).unsent).toEqual([]);

    await expect(here.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 })).rejects.toMatchObject({
      code: 'session.already_completed',
    });
    expect((await here.ask.practice.result({ sessionId })).unsent).toMatchObject([{ status: 'not_scored', turnId }]);
    const wav = await here.ask.recordings.read({ recordingId });
    expect(new Uint8Array(await wav.arrayBuffer()).slice(44)).toEqual(pcm);
    expect((await here.ask.practice.assessUnsentTurn({ sessionId, turnId })).unsent).toMatchObject([
      { status: 'heard', turnId },
    ]);
  });
});
