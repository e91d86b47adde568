/** Data that exists only on this computer, after its database was damaged since the daily backup. */
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevices } from '../../test-kit/devices.ts';
import { LATE_REPLY } from '../../test-kit/test-catalogue.ts';
import { aMailbox } from '../../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import {
  aClock,
  aScriptedScorer,
  type OpenHost,
  openHost,
  recordTurn,
  voiceLikePcm,
  sendRecordedTurn,
  startPractice,
} from '../../test-kit/open-host.ts';
import { damageTable } from '../../test-kit/read-database.ts';

const DAY_MS = 24 * 3_600_000;

const clock = aClock();
const mailbox = aMailbox();
let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url, clock, keptRecordings: { quietMs: 0 } }));
beforeEach(async () => {
  server = await startServer({ now: clock.now, account: { access: 'open' }, enqueueMail: mailbox.enqueueMail });
});
afterEach(async () => {
  await devices.closeAll();
  await server.close();
});

/** A computer with a backup from the same day. */
async function aBackedUpComputer(prepare: (one: OpenHost) => Promise<unknown> = async () => undefined) {
  const one = await devices.open();
  await prepare(one);
  await one.ask.sync.run();
  await devices.close(one);
  clock.pass(DAY_MS + 1);
  return devices.open({ dataDir: one.dataDir });
}

async function reopenDamaged(
  one: OpenHost,
  tables: readonly string[] = ['practice_history'],
  options: Parameters<typeof openHost>[0] = {},
): Promise<OpenHost> {
  await devices.close(one);
  for (const table of tables) damageTable(one.dataDir, table);
  const restored = await devices.open({ dataDir: one.dataDir, ...options });
  expect((await restored.ask.app.about()).restoredFrom).not.toBeNull();
  return restored;
}

const start = async ({ ask }: OpenHost, communicationStyle: 'audio' | 'text' = 'audio') =>
  (await startPractice(ask, communicationStyle)).sessionId;

async function say(one: OpenHost, sessionId: string) {
  const { recordingId } = await sendRecordedTurn(one.ask, sessionId);
  return recordingId;
}

async function drill({ ask }: OpenHost) {
  const { turnId, recordingId } = await ask.drill.begin({ text: 'strengths', other: null });
  await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(200)]) });
  await ask.drill.finish({ turnId });
  return recordingId;
}

const bytesOf = async ({ ask }: OpenHost, recordingId: string): Promise<number> =>
  (await ask.recordings.read({ recordingId })).size;
const placeOf = async ({ ask }: OpenHost, recordingId: string): Promise<string> =>
  (await ask.recordings.place({ recordingId })).place;

describe('after damage, a computer still has', () => {
  it('recordings, drills and drafts since the backup', async () => {
    const one = await aBackedUpComputer();
    const sessionId = await start(one);
    const sent = await say(one, sessionId);
    const { turnId, recordingId: waiting } = await recordTurn(one.ask, sessionId);
    await one.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    const drilled = await drill(one);
    const typed = await start(one, 'text');
    await one.ask.practice.keepDraft({ sessionId: typed, text: 'I have not sent this' });
    await one.ask.settings.updateDevice({ captions: false });
    await one.ask.sync.run();
    const sizes = [await bytesOf(one, sent), await bytesOf(one, waiting), await bytesOf(one, drilled)];

    const restored = await reopenDamaged(one);
    await restored.ask.sync.run();
    for (const id of [sent, waiting, drilled]) expect(await placeOf(restored, id)).toBe('original');
    expect([await bytesOf(restored, sent), await bytesOf(restored, waiting), await bytesOf(restored, drilled)]).toEqual(
      sizes,
    );
    expect((await restored.ask.practice.session({ sessionId })).waitingTurn?.turnId).toBe(turnId);
    expect((await restored.ask.practice.sendTurn({ sessionId, turnId })).turns.length).toBeGreaterThan(3);
    expect((await restored.ask.drill.attempts({ text: 'strengths' })).map((each) => each.recordingId)).toEqual([
      drilled,
    ]);
    expect(await restored.ask.practice.draft({ sessionId: typed })).toMatchObject({ text: 'I have not sent this' });
    expect((await restored.ask.settings.read()).device.captions).toBe(false);
  });

  it('the recording of each turn, although the table of recordings is unreadable', async () => {
    const one = await aBackedUpComputer();
    const sessionId = await start(one);
    const sent = await say(one, sessionId);
    const drilled = await drill(one);
    await one.ask.practice.finish({ sessionId });
    await one.ask.sync.run();
    const size = await bytesOf(one, sent);
    const scorer = aScriptedScorer();
    const restored = await reopenDamaged(one, ['practice_history', 'recordings'], { scorer });
    await restored.ask.sync.run();
    expect(await placeOf(restored, sent)).toBe('original');
    expect(await bytesOf(restored, sent)).toBe(size);
    expect(await placeOf(restored, drilled)).toBe('original');
    expect((await restored.ask.practice.result({ sessionId })).toScoreElsewhere).toBe(0);
  });

  it('unscored speech, and scores it', async () => {
    const failing = aScriptedScorer({
      assess: () => {
        throw new Error('no model');
      },
    });
    const first = await aBackedUpComputer();
    await devices.close(first);
    const one = await devices.open({ dataDir: first.dataDir, scorer: failing });
    const sessionId = await start(one);
    await say(one, sessionId);
    await one.ask.practice.finish({ sessionId });
    await one.ask.sync.run();
    const scorer = aScriptedScorer();
    const restored = await reopenDamaged(one, ['practice_history', 'recordings'], { scorer });
    clock.pass(DAY_MS);
    await restored.ask.sync.run();
    await restored.host.whenIdle();
    expect(scorer.assessed).not.toEqual([]);
  });
});

describe('after damage, a computer does not bring back', () => {
  it('a recording that was discarded, or a draft that was sent, since the backup', async () => {
    const ids: string[] = [];
    const one = await aBackedUpComputer(async (first) => {
      ids.push(await start(first), await start(first, 'text'));
      const [spoken = '', typed = ''] = ids;
      ids.push(await say(first, spoken));
      await first.ask.practice.keepDraft({ sessionId: typed, text: LATE_REPLY });
    });
    const [spoken = '', typed = '', recordingId = ''] = ids;
    await one.ask.practice.discard({ sessionId: spoken });
    await one.ask.practice.sendTyped({ sessionId: typed, text: LATE_REPLY, hintLevel: 0 });
    await one.ask.practice.keepDraft({ sessionId: typed, text: '' });
    await one.ask.sync.run();
    const restored = await reopenDamaged(one);
    await restored.ask.sync.run();
    await expect(restored.ask.recordings.read({ recordingId })).rejects.toMatchObject({ code: 'recording.not_found' });
    expect((await restored.ask.practice.draft({ sessionId: typed })).text).toBe('');
  });

  it('another learner’s recordings for the one who is signed in', async () => {
    const one = await aBackedUpComputer();
    await mailbox.signIn(one, 'ada@example.com');
    const adas = await say(one, await start(one));
    await one.ask.sync.run();
    await mailbox.signIn(one, 'ben@example.com');
    const bens = await say(one, await start(one));
    await one.ask.sync.run();
    const restored = await reopenDamaged(one, ['practice_history', 'recordings']);
    await restored.ask.sync.run();
    expect(await placeOf(restored, bens)).toBe('original');
    await expect(restored.ask.recordings.read({ recordingId: adas })).rejects.toMatchObject({
      code: 'recording.not_found',
    });
    await mailbox.signIn(restored, 'ada@example.com');
    expect(await placeOf(restored, adas)).toBe('original');
  });
});

it('requests no copies from a learner who switched them off since the backup', async () => {
  const one = await aBackedUpComputer(async (first) => first.ask.recordings.keep({ isOn: true, deleteAll: false }));
  server.fail = 'sync.offline';
  await one.ask.recordings.keep({ isOn: false, deleteAll: true });
  await say(one, await start(one));
  const restored = await reopenDamaged(one);
  expect((await restored.ask.recordings.keeping()).isOn).toBe(false);
  server.fail = null;
  await restored.ask.sync.run();
  await restored.host.whenIdle();
  expect(await restored.ask.recordings.keeping()).toMatchObject({ isOn: false });
  expect(await server.read(sql`select recording_id from kept_recordings`)).toEqual([]);
});

it('a learner whose choice about copies is unreadable is asked for none until they choose again', async () => {
  const one = await aBackedUpComputer(async (first) => first.ask.recordings.keep({ isOn: true, deleteAll: false }));
  server.fail = 'sync.offline';
  await one.ask.recordings.keep({ isOn: false, deleteAll: false });
  const recordingId = await say(one, await start(one));
  const restored = await reopenDamaged(one, ['practice_history', 'recording_keeping']);
  server.fail = null;
  await restored.ask.sync.run();
  await restored.host.whenIdle();
  expect(await restored.ask.recordings.keeping()).toMatchObject({ isOn: false });
  expect(await server.read(sql`select is_on from recording_accounts`)).toEqual([{ is_on: true }]);
  expect(await server.read(sql`select recording_id from kept_recordings`)).toEqual([]);

  await restored.ask.recordings.keep({ isOn: true, deleteAll: false });
  await restored.host.whenIdle();
  await expect
    .poll(() => server.read(sql`select recording_id from kept_recordings`), { timeout: 10_000 })
    .toEqual([{ recording_id: recordingId }]);
});
