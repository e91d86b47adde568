/** A turn that this device recorded, and has not sent or scored, when another device ends the session. */
import { LinkCode } from '@parley/contract';
import type { SessionId } from '@parley/domain';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SpeechScorer } from '../../index.ts';
import {
  aScriptedScorer,
  type OpenHost,
  openHost,
  recordTurn,
  removeDataFolders,
  voiceLikePcm,
} from '../../test-kit/open-host.ts';
import { inDatabase, readOutbox, readRecordingStates } from '../../test-kit/read-database.ts';
import { LATE_DELIVERY, LATE_REPLY, SORRY_REPLY } from '../../test-kit/test-catalogue.ts';
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

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url, ...options });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

async function sync({ ask }: OpenHost): Promise<void> {
  await expect.poll(async () => await ask.sync.run(), { timeout: 10_000 }).toMatchObject({ state: 'idle', waiting: 0 });
}

/** Starts a session on one of a learner's two devices and has it on both. */
async function aSharedSession(
  scorer?: SpeechScorer,
): Promise<{ here: OpenHost; there: OpenHost; sessionId: SessionId }> {
  const [here, there] = [await open(scorer === undefined ? {} : { scorer }), await open()];
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

/** Starts the app again, with a scorer that works. */
async function reopen(one: OpenHost): Promise<OpenHost> {
  await one.host.close();
  opened = opened.filter((other) => other !== one);
  return open({ dataDir: one.dataDir });
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
    await reopen(here);
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

const brokenScorer = (): SpeechScorer =>
  aScriptedScorer({
    assess: () => {
      throw new Error('the model is gone');
    },
  });

/** The scores of the spoken answers as each device shows them. */
const pronOf = async ({ ask }: OpenHost, sessionId: SessionId): Promise<(number | null)[]> =>
  (await ask.practice.result({ sessionId })).session.turns.flatMap((turn) =>
    turn.role === 'learner' && turn.mode === 'voice' ? [turn.assessment?.pron ?? null] : [],
  );

describe('a turn without a score in a session that another device has ended', () => {
  it('is scored by the device that has its recording, which changes the result on both', async () => {
    const shared = await aSharedSession(brokenScorer());
    const { here, there, sessionId } = shared;
    const { turnId } = await recordTurn(here.ask, sessionId);
    await here.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    await here.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    await sync(here);
    await sync(there);
    await endThere(shared);
    const unscored = { dimensions: { pron: null } };
    expect(await there.ask.practice.result({ sessionId })).toMatchObject({ ...unscored, toScoreElsewhere: 1 });
    expect(await here.ask.practice.result({ sessionId })).toMatchObject({ ...unscored, toScoreElsewhere: 0 });

    const again = await reopen(here);
    expect(await pronOf(again, sessionId)).toEqual([74]);
    const scored = { status: 'completed', dimensions: { pron: 74 }, toScoreElsewhere: 0 };
    const { overall, ...result } = await again.ask.practice.result({ sessionId });
    expect(result).toMatchObject(scored);
    expect(overall).not.toBeNull();
    expect((await again.ask.history.list({ search: '', offset: 0, limit: 1 })).items).toMatchObject([{ overall }]);
    await sync(again);
    await sync(there);
    expect(await pronOf(there, sessionId)).toEqual([74]);
    expect(await there.ask.practice.result({ sessionId })).toMatchObject({ ...scored, overall });
    const logged = (dataDir: string): unknown =>
      inDatabase(dataDir, (sqlite) =>
        sqlite.prepare('SELECT count(*) FROM word_attempts WHERE turn_id = ?').pluck().get(turnId),
      );
    expect(logged(again.dataDir)).toBeGreaterThan(0);
    expect(logged(there.dataDir)).toBe(logged(again.dataDir));

    // What is scored is not scored again.
    const changes = readOutbox(again.dataDir).length;
    const third = await reopen(again);
    expect(readOutbox(third.dataDir)).toHaveLength(changes);
  });

  it('that was scored here before its end arrived counts as well', async () => {
    const shared = await aSharedSession();
    const { here, there, sessionId } = shared;
    await sync(there);
    await there.ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
    expect((await there.ask.practice.finish({ sessionId })).status).toBe('completed');
    // This device does not know of the end yet.
    const { turnId } = await recordTurn(here.ask, sessionId);
    await here.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    await here.ask.practice.sendTurn({ sessionId, turnId });
    await sync(there);
    await sync(here);
    expect(await here.ask.practice.result({ sessionId })).toMatchObject({
      status: 'completed',
      dimensions: { pron: null },
    });

    const again = await reopen(here);
    expect(await again.ask.practice.result({ sessionId })).toMatchObject({ dimensions: { pron: 74 } });
    await sync(again);
    await sync(there);
    expect(await there.ask.practice.result({ sessionId })).toMatchObject({ dimensions: { pron: 74 } });
  });
});
