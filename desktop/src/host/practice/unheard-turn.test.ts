import { type Assessment, type RecordingId, TurnId } from '@parley/domain';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hearCoach, type LiveServer, saying, startLiveHeard, startLiveServer } from '../test-kit/a-live-coach.ts';
import {
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  openHost,
  removeDataFolders,
  sayTurn,
} from '../test-kit/open-host.ts';

type Ask = OpenHost['ask'];
type TwinStep = LiveServer['says']['transcript'][number];

const SAID = 'Our truck broke down yesterday.';
const REFUSED: TwinStep = { does: 'reject', status: 500, times: 3 };

let shared: LiveServer;
let live: LiveServer;
let opened: OpenHost;
beforeAll(async () => {
  shared = await startLiveServer();
  live = shared;
});
afterAll(() => shared.close());

const whenDone: (() => Promise<void>)[] = [];
afterEach(async () => {
  await opened.host.close();
  for (const close of whenDone.splice(0)) await close();
  for (const steps of Object.values(shared.says)) steps.length = 0;
  live = shared;
  removeDataFolders();
});

/** A server of this test's own. */
async function ownServer(options: Parameters<typeof startLiveServer>[0]): Promise<void> {
  live = await startLiveServer(options);
  whenDone.unshift(live.close);
}

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  opened = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() }, ...options });
  await opened.ask.sync.run();
  return opened;
}

/** Closed and opened again, on the same files. */
async function reload(options: Parameters<typeof openHost>[0] = {}): Promise<Ask> {
  await opened.host.close();
  return (await open({ dataDir: opened.dataDir, ...options })).ask;
}

async function say(ask: Ask, sessionId: string) {
  const { turnId, recordingId } = await sayTurn(ask, sessionId);
  return { turnId, recordingId, heard: await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 }) };
}

const isKept = (recordingId: RecordingId): boolean =>
  existsSync(join(opened.dataDir, 'recordings', `${recordingId}.wav`));

/** A live session with a turn that nobody could write down. */
async function withUnheardTurn() {
  const { ask } = await open();
  const sessionId = await startLiveHeard(ask);
  live.says.transcript.push(...Array.from({ length: 3 }, () => REFUSED));
  const turn = await say(ask, sessionId);
  expect(turn.heard).toMatchObject({ status: 'not_recognised', failure: 'speech.unavailable' });
  live.says.transcript.length = 0;
  return { ask, sessionId, ...turn };
}

describe('a turn that nobody could write down', () => {
  it('is the same after a restart, and can be heard then', async () => {
    const { sessionId, turnId, heard } = await withUnheardTurn();
    const calls = live.twin.calls.length;
    const again = await reload();
    expect((await again.practice.session({ sessionId })).waitingTurn).toEqual(heard);
    // Showing it asks nobody.
    expect(live.twin.calls).toHaveLength(calls);

    live.says.transcript.push(saying(SAID));
    const known = await again.practice.hearAgain({ sessionId, turnId });
    expect(known).toMatchObject({ status: 'heard', text: SAID });
    expect((await again.practice.session({ sessionId })).waitingTurn).toEqual(known);
    expect((await again.practice.sendTurn({ sessionId, turnId })).turns.at(-1)).toMatchObject({ text: SAID });
  });

  it('stays with its session when that ends, and can be heard later', async () => {
    const { ask, sessionId, turnId, recordingId, heard } = await withUnheardTurn();
    const ended = await ask.practice.finish({ sessionId });
    expect(ended).toMatchObject({ status: 'completed', unsent: [heard] });
    const again = await reload();
    expect(await again.practice.result({ sessionId })).toMatchObject({ unsent: [heard] });
    expect((await again.recordings.read({ recordingId })).size).toBeGreaterThan(44);

    live.says.transcript.push(saying(SAID));
    expect(await again.practice.hearUnsent({ sessionId, turnId })).toMatchObject({
      status: 'completed',
      overall: ended.overall,
      unsent: [{ status: 'heard', text: SAID, recordingId }],
    });
    await expect(again.practice.hearUnsent({ sessionId, turnId: TurnId.parse(recordingId) })).rejects.toMatchObject({
      code: 'turn.not_found',
    });
  });

  it('gives way to what is said instead, and goes with a session that is deleted', async () => {
    const { ask, sessionId, recordingId: first } = await withUnheardTurn();
    live.says.transcript.push(saying(SAID));
    const second = await say(ask, sessionId);
    expect(isKept(first)).toBe(true);
    expect(await ask.practice.finish({ sessionId })).toMatchObject({ unsent: [{ turnId: second.turnId, text: SAID }] });
    expect([isKept(first), isKept(second.recordingId)]).toEqual([false, true]);

    const other = await startLiveHeard(ask);
    live.says.transcript.push(...Array.from({ length: 3 }, () => REFUSED));
    const third = await say(ask, other);
    await ask.practice.discard({ sessionId: other });
    expect(isKept(third.recordingId)).toBe(false);
  });

  it('moves here from another device that took over meanwhile', async () => {
    await ownServer({ countsMinutes: true });
    const { ask } = await open();
    const sessionId = await startLiveHeard(ask);
    live.says.transcript.push(saying(SAID));
    const first = await say(ask, sessionId);
    expect(first.heard).toMatchObject({ status: 'heard' });
    await ask.practice.sendTurn({ sessionId, turnId: first.turnId });
    await hearCoach(ask, sessionId);

    const elsewhere = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() } });
    whenDone.push(() => elsewhere.host.close());
    await elsewhere.ask.sync.run();
    await elsewhere.ask.account.join(await ask.account.createLinkCode());
    const there = await startLiveHeard(elsewhere.ask);
    await elsewhere.ask.practice.takeOver({ sessionId: there });
    live.says.transcript.push(saying(SAID));
    await say(elsewhere.ask, there);

    const second = await say(ask, sessionId);
    expect(second.heard).toMatchObject({ status: 'not_recognised', failure: 'live.elsewhere' });
    await ask.practice.takeOver({ sessionId });
    live.says.transcript.push(saying(SAID));
    expect(await ask.practice.hearAgain({ sessionId, turnId: second.turnId })).toMatchObject({ status: 'heard' });
  });
});

const fits =
  (reason: 'not_the_text' | 'too_short') =>
  (text: string): Assessment => ({
    ...anAssessment(text),
    accuracy: null,
    fluency: null,
    prosody: null,
    completeness: null,
    pron: null,
    words: [],
    unusable: { reason, hint: 'We heard something else than this sentence. Read it again.' },
  });

describe('words that were written down', () => {
  it.each(['not_the_text', 'too_short'] as const)(
    'but do not fit their sound (%s) are sent without a score, and nobody is asked to read a sentence',
    async (reason) => {
      const { ask } = await open({ scorer: aScriptedScorer({ assess: fits(reason) }) });
      const sessionId = await startLiveHeard(ask);
      live.says.transcript.push(saying(SAID));
      const { turnId, heard } = await say(ask, sessionId);
      expect(heard).toMatchObject({ status: 'heard', text: SAID, assessment: { pron: null, unusable: { reason } } });
      expect(JSON.stringify(heard)).not.toMatch(/sentence|[Rr]ead it/);
      expect((await ask.practice.sendTurn({ sessionId, turnId })).phase).toBe('coach_turn');
      await hearCoach(ask, sessionId);
      expect(await ask.practice.finish({ sessionId })).toMatchObject({
        status: 'completed',
        dimensions: { pron: null },
      });
    },
  );

  it('are kept where their score cannot be had, and are scored at the end', async () => {
    let isBroken = true;
    const scorer = aScriptedScorer({
      assess: (text) => {
        if (isBroken) throw new Error('the model is gone');
        return anAssessment(text);
      },
    });
    const { ask } = await open({ scorer });
    const sessionId = await startLiveHeard(ask);
    live.says.transcript.push(saying(SAID));
    const { turnId, heard } = await say(ask, sessionId);
    expect(heard).toMatchObject({ status: 'not_scored', text: SAID });
    const again = await reload({ scorer });
    expect((await again.practice.session({ sessionId })).waitingTurn).toEqual(heard);
    expect((await again.practice.sendTurn({ sessionId, turnId })).turns.at(-1)).toMatchObject({ text: SAID });
    isBroken = false;
    expect(await again.practice.finish({ sessionId })).toMatchObject({ status: 'completed', dimensions: { pron: 66 } });
  });

  it('are not put into the mouth of somebody who wrote something else instead', async () => {
    const scorer = aScriptedScorer({
      assess: () => {
        throw new Error('the model is gone');
      },
    });
    const { ask } = await open({ scorer });
    const sessionId = await startLiveHeard(ask);
    live.says.transcript.push(saying(SAID));
    await say(ask, sessionId);
    const sent = await ask.practice.sendTyped({ sessionId, text: 'It was the engine.', hintLevel: 0 });
    expect(sent.turns.at(-1)).toMatchObject({ text: 'It was the engine.', mode: 'typed', recordingId: null });
  });
});
