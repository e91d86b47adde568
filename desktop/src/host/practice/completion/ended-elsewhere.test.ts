/** A turn that this device has recorded, but not sent or scored, when another device ends the session. */
import type { SessionId } from '@parley/domain';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SpeechScorer } from '../../index.ts';
import {
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  openHost,
  recordTurn,
  voiceLikePcm,
  sendRecordedTurn,
  startPractice,
} from '../../test-kit/open-host.ts';
import { inDatabase, readRecordingStates } from '../../test-kit/read-database.ts';
import { createDevices, untilNothingWaits } from '../../test-kit/devices.ts';
import { LATE_REPLY, SORRY_REPLY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';

let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url }));
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  server.fail = null;
  await devices.closeAll();
});
afterAll(() => server.close());

/** Starts a session on one of a learner's two devices and syncs it to both. */
async function aSharedSession(
  scorer?: SpeechScorer,
): Promise<{ here: OpenHost; there: OpenHost; sessionId: SessionId }> {
  const here = await devices.open(scorer === undefined ? {} : { scorer });
  const there = await devices.openJoined(here);
  const { sessionId } = await startPractice(here.ask, 'audio');
  await untilNothingWaits(here, there);
  return { here, there, sessionId };
}

/** Restarts the app with a working scorer. */
async function reopen(one: OpenHost, scorer: SpeechScorer = aScriptedScorer()): Promise<OpenHost> {
  return devices.reopen(one, { scorer });
}

type SharedSession = Awaited<ReturnType<typeof aSharedSession>>;

async function finishThere({ there, sessionId }: Pick<SharedSession, 'there' | 'sessionId'>): Promise<void> {
  await there.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
  expect((await there.ask.practice.finish({ sessionId })).status).toBe('completed');
  await untilNothingWaits(there);
}

async function endThere({ there, here, sessionId }: SharedSession): Promise<void> {
  await finishThere({ there, sessionId });
  await untilNothingWaits(here);
  expect((await here.ask.practice.session({ sessionId })).phase).toBe('scored');
}

describe('a turn of a session that another device has ended', () => {
  it.each(['result', 'finish'] as const)('that waits is kept with the result returned by %s', async (action) => {
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

  it('is kept while it waits, even if the result is never opened', async () => {
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
    // The window shows the result as soon as it can, even while the learner is still speaking.
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

const phaseOf = async ({ ask }: OpenHost, sessionId: SessionId) => (await ask.practice.session({ sessionId })).phase;

/** The scores of the spoken answers as each device shows them. */
const pronOf = async ({ ask }: OpenHost, sessionId: SessionId): Promise<(number | null)[]> =>
  (await ask.practice.result({ sessionId })).session.turns.flatMap((turn) =>
    turn.role === 'learner' && turn.mode === 'voice' ? [turn.assessment?.pron ?? null] : [],
  );

/** Records a turn on a device whose scorer is broken, and syncs it to both. */
async function sayWithoutScore({ here, there, sessionId }: SharedSession, text: string = LATE_REPLY): Promise<string> {
  const { turnId } = await recordTurn(here.ask, sessionId);
  await here.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
  await here.ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  await untilNothingWaits(here, there);
  return turnId;
}

describe('a turn without a score in a session that another device has ended', () => {
  it('is scored by the device that has its recording, which changes the result on both', async () => {
    const shared = await aSharedSession(brokenScorer());
    const { here, there, sessionId } = shared;
    const turnId = await sayWithoutScore(shared);
    await endThere(shared);
    const unscored = { dimensions: { pron: null }, earlierFeedback: [] };
    expect(await there.ask.practice.result({ sessionId })).toMatchObject({ ...unscored, toScoreElsewhere: 1 });
    expect(await here.ask.practice.result({ sessionId })).toMatchObject({ ...unscored, toScoreElsewhere: 0 });

    const again = await reopen(here);
    expect(await pronOf(again, sessionId)).toEqual([74]);
    const scored = { status: 'completed', dimensions: { pron: 74 }, toScoreElsewhere: 0 };
    const { overall, ...result } = await again.ask.practice.result({ sessionId });
    expect(result).toMatchObject({
      ...scored,
      earlierFeedback: [
        { overall: null, categories: expect.arrayContaining([{ category: 'pron', score: null }]) as unknown },
      ],
    });
    expect(overall).not.toBeNull();
    expect((await again.ask.history.list({ search: '', offset: 0, limit: 1 })).items).toMatchObject([{ overall }]);
    await untilNothingWaits(again);
    await untilNothingWaits(there);
    expect(await pronOf(there, sessionId)).toEqual([74]);
    expect(await there.ask.practice.result({ sessionId })).toMatchObject({ ...scored, overall });
    const logged = (dataDir: string): unknown =>
      inDatabase(dataDir, (sqlite) =>
        sqlite.prepare('SELECT count(*) FROM word_attempts WHERE turn_id = ?').pluck().get(turnId),
      );
    expect(logged(again.dataDir)).toBeGreaterThan(0);
    expect(logged(there.dataDir)).toBe(logged(again.dataDir));

    // Scored turns are not scored again.
    const feedbackCount = (): unknown =>
      inDatabase(again.dataDir, (sqlite) => sqlite.prepare('SELECT count(*) FROM feedback_details').pluck().get());
    const before = feedbackCount();
    const scorer = aScriptedScorer();
    await reopen(again, scorer);
    expect(scorer.assessed).toEqual([]);
    expect(feedbackCount()).toBe(before);
  });

  it('that was scored here before its end arrived counts as well', async () => {
    const shared = await aSharedSession();
    const { here, there, sessionId } = shared;
    await untilNothingWaits(there);
    // A poke would inform this device immediately that the session has ended.
    server.fail = 'sync.offline';
    await there.ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
    expect((await there.ask.practice.finish({ sessionId })).status).toBe('completed');
    await sendRecordedTurn(here.ask, sessionId);
    expect(await there.ask.practice.result({ sessionId })).toMatchObject({ dimensions: { pron: null } });
    server.fail = null;
    await untilNothingWaits(there, here);
    await here.host.whenIdle();
    expect(await here.ask.practice.result({ sessionId })).toMatchObject({ dimensions: { pron: 74 } });
    await untilNothingWaits(here);
    await untilNothingWaits(there);
    expect(await there.ask.practice.result({ sessionId })).toMatchObject({ dimensions: { pron: 74 } });
  });

  it('waits for no other device where it was recorded here, or where its session has no scores', async () => {
    const shared = await aSharedSession(brokenScorer());
    const { here, there, sessionId } = shared;
    await sayWithoutScore(shared);
    await endThere(shared);
    expect(await there.ask.practice.result({ sessionId })).toMatchObject({ toScoreElsewhere: 1 });
    rmSync(join(here.dataDir, 'recordings'), { recursive: true });
    expect(await here.ask.practice.result({ sessionId })).toMatchObject({ toScoreElsewhere: 0 });
    inDatabase(there.dataDir, (sqlite) =>
      sqlite.exec("UPDATE practice_history SET status = 'failed_to_generate_score'"),
    );
    expect(await there.ask.practice.result({ sessionId })).toMatchObject({ toScoreElsewhere: 0 });
  });

  it('is scored as soon as a device that was closed knows of the end', async () => {
    const shared = await aSharedSession(brokenScorer());
    const { here, there, sessionId } = shared;
    await sayWithoutScore(shared);
    await devices.close(here);
    await finishThere({ there, sessionId });
    const again = await devices.open({ dataDir: here.dataDir });
    expect(await again.ask.practice.result({ sessionId })).toMatchObject({ dimensions: { pron: 74 } });
  });

  it('is scored when the end comes with a poke, without a request', async () => {
    let isBroken = true;
    const scorer = aScriptedScorer({
      assess: (text) => {
        if (isBroken) throw new Error('the model is gone');
        return anAssessment(text);
      },
    });
    const shared = await aSharedSession(scorer);
    const { here, there, sessionId } = shared;
    await sayWithoutScore(shared);
    await Promise.all([here.host.whenIdle(), there.host.whenIdle()]);
    isBroken = false;
    server.requested = [];
    await there.ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
    await there.ask.practice.finish({ sessionId });
    await expect.poll(() => phaseOf(here, sessionId), { timeout: 10_000 }).toBe('scored');
    await expect.poll(() => pronOf(here, sessionId), { timeout: 10_000 }).toEqual([74]);
    expect(server.requested).not.toContain('/v1/sync/stream');
  });

  it('does not bring back a session that another device has deleted meanwhile', async () => {
    const shared = await aSharedSession(brokenScorer());
    const { here, there, sessionId } = shared;
    await sayWithoutScore(shared);
    await endThere(shared);
    await devices.close(here);
    await there.ask.history.remove({ sessionId });
    await untilNothingWaits(there);
    // Without a network, the device does not know of the deletion.
    await devices.close(await devices.open({ dataDir: here.dataDir, serverUrl: 'http://127.0.0.1:9' }));

    const again = await devices.open({ dataDir: here.dataDir });
    await untilNothingWaits(again, there);
    for (const { ask } of [again, there])
      expect((await ask.history.list({ search: '', offset: 0, limit: 1 })).items).toEqual([]);
  });

  it('counts with those that another device scores at the same moment', async () => {
    const shared = await aSharedSession(brokenScorer());
    const { here, there, sessionId } = shared;
    const second = await devices.openJoined(here, { scorer: brokenScorer() });
    await sayWithoutScore(shared);
    await untilNothingWaits(second);
    await sayWithoutScore({ here: second, there, sessionId }, SORRY_REPLY);
    expect((await there.ask.practice.finish({ sessionId })).status).toBe('completed');
    await untilNothingWaits(there);
    await devices.close(here, second);

    const released = Promise.withResolvers<void>();
    let started = 0;
    const heldScorer = (accuracy: number): SpeechScorer => ({
      ...aScriptedScorer(),
      assess: async ({ text }) => {
        started += 1;
        await released.promise;
        return { ...anAssessment(text), accuracy };
      },
    });
    const reopenScoring = async ({ dataDir }: OpenHost, accuracy: number): Promise<OpenHost> => {
      const device = await openHost({ serverUrl: server.url, dataDir, scorer: heldScorer(accuracy) });
      devices.add(device);
      return device;
    };
    const [one, other] = [await reopenScoring(here, 90), await reopenScoring(second, 50)];
    await expect.poll(() => started, { timeout: 10_000 }).toBe(2);
    // Neither device knows the other's score before it has stored its own.
    server.fail = 'sync.offline';
    released.resolve();
    await Promise.all([one, other].map(({ host }) => host.whenIdle()));
    server.fail = null;
    for (const device of [one, other, one, other, there]) {
      await untilNothingWaits(device);
      await device.host.whenIdle();
    }

    const accuracyOf = async ({ ask }: OpenHost) =>
      (await ask.practice.result({ sessionId })).dimensions.accuracy ?? Number.NaN;
    const mean =
      (90 * LATE_REPLY.split(' ').length + 50 * SORRY_REPLY.split(' ').length) /
      (LATE_REPLY.split(' ').length + SORRY_REPLY.split(' ').length);
    for (const device of [one, other, there]) expect(await accuracyOf(device)).toBeCloseTo(mean, 0);

    const feedbackCount = (): unknown =>
      inDatabase(one.dataDir, (sqlite) => sqlite.prepare('SELECT count(*) FROM feedback_details').pluck().get());
    const before = feedbackCount();
    for (const device of [one, other, one, other, one]) {
      await untilNothingWaits(device);
      await device.host.whenIdle();
    }
    expect(feedbackCount()).toBe(before);
  });

  it('does not keep the app from closing while others wait to be scored', async () => {
    const shared = await aSharedSession(brokenScorer());
    const { here, there, sessionId } = shared;
    for (const text of [LATE_REPLY, SORRY_REPLY]) await sayWithoutScore(shared, text);
    expect((await there.ask.practice.finish({ sessionId })).status).toBe('completed');
    await untilNothingWaits(there, here);
    await devices.close(here);
    const started: string[] = [];
    const released = Promise.withResolvers<void>();
    const scorer: SpeechScorer = {
      ...aScriptedScorer(),
      assess: async ({ text }) => {
        started.push(text);
        await released.promise;
        return anAssessment(text);
      },
    };
    const again = await openHost({ serverUrl: server.url, dataDir: here.dataDir, scorer });
    await expect.poll(() => started, { timeout: 10_000 }).toHaveLength(1);
    const closed = again.host.close();
    released.resolve();
    await closed;
    expect(started).toHaveLength(1);
  });
});
