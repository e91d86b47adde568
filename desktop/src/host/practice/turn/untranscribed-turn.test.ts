import { type Assessment, type RecordingId, TurnId } from '@parley/domain';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  streamCoach,
  type ModelCoachServer,
  answer,
  startAfterGreeting,
  startModelCoachServer,
} from '../../test-kit/model-coach-server.ts';
import { anAssessment, aScriptedScorer, type OpenHost, openHost, recordTurn } from '../../test-kit/open-host.ts';

type Ask = OpenHost['ask'];
type ScriptStep = ModelCoachServer['script']['transcript'][number];

const SAID = 'Our truck broke down yesterday.';
const REFUSED: ScriptStep = { does: 'reject', status: 500, times: 3 };

let shared: ModelCoachServer;
let live: ModelCoachServer;
let opened: OpenHost;
beforeAll(async () => {
  shared = await startModelCoachServer();
  live = shared;
});
afterAll(() => shared.close());

const whenDone: (() => Promise<void>)[] = [];
afterEach(async () => {
  await opened.host.close();
  for (const close of whenDone.splice(0)) await close();
  for (const steps of Object.values(shared.script)) steps.length = 0;
  live = shared;
});

/** Starts a server for one test. */
async function startOwnServer(options: Parameters<typeof startModelCoachServer>[0]): Promise<void> {
  live = await startModelCoachServer(options);
  whenDone.unshift(live.close);
}

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  opened = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() }, ...options });
  await opened.ask.sync.run();
  return opened;
}

/** Restarts the host on the same files. */
async function restart(options: Parameters<typeof openHost>[0] = {}): Promise<Ask> {
  await opened.host.close();
  return (await open({ dataDir: opened.dataDir, ...options })).ask;
}

async function recordAndFinishTurn(ask: Ask, sessionId: string) {
  const { turnId, recordingId } = await recordTurn(ask, sessionId);
  return { turnId, recordingId, heard: await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 }) };
}

const hasAudioFile = (recordingId: RecordingId): boolean =>
  existsSync(join(opened.dataDir, 'recordings', `${recordingId}.wav`));

/** Starts a session with a model coach and a turn that could not be transcribed. */
async function aSessionWithUntranscribedTurn() {
  const { ask } = await open();
  const sessionId = await startAfterGreeting(ask);
  live.script.transcript.push(...Array.from({ length: 3 }, () => REFUSED));
  const turn = await recordAndFinishTurn(ask, sessionId);
  expect(turn.heard).toMatchObject({ status: 'not_recognised', failure: 'speech.unavailable' });
  live.script.transcript.length = 0;
  return { ask, sessionId, ...turn };
}

describe('a turn that could not be transcribed', () => {
  it('is unchanged after a restart and can be assessed then', async () => {
    const { sessionId, turnId, heard } = await aSessionWithUntranscribedTurn();
    const calls = live.fake.calls.length;
    const again = await restart();
    expect((await again.practice.session({ sessionId })).waitingTurn).toEqual(heard);
    // Showing the turn sends no request.
    expect(live.fake.calls).toHaveLength(calls);

    live.script.transcript.push(answer(SAID));
    const known = await again.practice.reassessTurn({ sessionId, turnId });
    expect(known).toMatchObject({ status: 'heard', text: SAID });
    expect((await again.practice.session({ sessionId })).waitingTurn).toEqual(known);
    expect((await again.practice.sendTurn({ sessionId, turnId })).turns.at(-1)).toMatchObject({ text: SAID });
  });

  it('stays with its ended session and can be assessed later', async () => {
    const { ask, sessionId, turnId, recordingId, heard } = await aSessionWithUntranscribedTurn();
    const ended = await ask.practice.finish({ sessionId });
    expect(ended).toMatchObject({ status: 'completed', unsent: [heard] });
    const again = await restart();
    expect(await again.practice.result({ sessionId })).toMatchObject({ unsent: [heard] });
    expect((await again.recordings.read({ recordingId })).size).toBeGreaterThan(44);

    live.script.transcript.push(answer(SAID));
    expect(await again.practice.assessUnsentTurn({ sessionId, turnId })).toMatchObject({
      status: 'completed',
      overall: ended.overall,
      unsent: [{ status: 'heard', text: SAID, recordingId }],
    });
    await expect(
      again.practice.assessUnsentTurn({ sessionId, turnId: TurnId.parse(recordingId) }),
    ).rejects.toMatchObject({
      code: 'turn.not_found',
    });
  });

  it('is replaced by a new recording and deleted with its session', async () => {
    const { ask, sessionId, recordingId: first } = await aSessionWithUntranscribedTurn();
    live.script.transcript.push(answer(SAID));
    const second = await recordAndFinishTurn(ask, sessionId);
    expect(hasAudioFile(first)).toBe(true);
    expect(await ask.practice.finish({ sessionId })).toMatchObject({ unsent: [{ turnId: second.turnId, text: SAID }] });
    expect([hasAudioFile(first), hasAudioFile(second.recordingId)]).toEqual([false, true]);

    const other = await startAfterGreeting(ask);
    live.script.transcript.push(...Array.from({ length: 3 }, () => REFUSED));
    const third = await recordAndFinishTurn(ask, other);
    await ask.practice.discard({ sessionId: other });
    expect(hasAudioFile(third.recordingId)).toBe(false);
  });

  it('can be assessed after taking the lease back from another device', async () => {
    await startOwnServer({ isMetered: true });
    const { ask } = await open();
    const sessionId = await startAfterGreeting(ask);
    live.script.transcript.push(answer(SAID));
    const first = await recordAndFinishTurn(ask, sessionId);
    expect(first.heard).toMatchObject({ status: 'heard' });
    await ask.practice.sendTurn({ sessionId, turnId: first.turnId });
    await streamCoach(ask, sessionId);

    const elsewhere = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() } });
    whenDone.push(() => elsewhere.host.close());
    await elsewhere.ask.sync.run();
    await elsewhere.ask.account.join(await ask.account.createLinkCode());
    const there = await startAfterGreeting(elsewhere.ask);
    await elsewhere.ask.practice.takeOver({ sessionId: there });
    live.script.transcript.push(answer(SAID));
    await recordAndFinishTurn(elsewhere.ask, there);

    const second = await recordAndFinishTurn(ask, sessionId);
    expect(second.heard).toMatchObject({ status: 'not_recognised', failure: 'live.elsewhere' });
    await ask.practice.takeOver({ sessionId });
    live.script.transcript.push(answer(SAID));
    expect(await ask.practice.reassessTurn({ sessionId, turnId: second.turnId })).toMatchObject({ status: 'heard' });
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

describe('transcribed words', () => {
  it.each(['not_the_text', 'too_short'] as const)(
    'that do not match their audio (%s) are sent without a score',
    async (reason) => {
      const { ask } = await open({ scorer: aScriptedScorer({ assess: fits(reason) }) });
      const sessionId = await startAfterGreeting(ask);
      live.script.transcript.push(answer(SAID));
      const { turnId, heard } = await recordAndFinishTurn(ask, sessionId);
      expect(heard).toMatchObject({ status: 'heard', text: SAID, assessment: { pron: null, unusable: { reason } } });
      expect(JSON.stringify(heard)).not.toMatch(/sentence|[Rr]ead it/);
      expect((await ask.practice.sendTurn({ sessionId, turnId })).phase).toBe('coach_turn');
      await streamCoach(ask, sessionId);
      expect(await ask.practice.finish({ sessionId })).toMatchObject({
        status: 'completed',
        dimensions: { pron: null },
      });
    },
  );

  it('are kept when scoring fails and are scored at the end', async () => {
    let isBroken = true;
    const scorer = aScriptedScorer({
      assess: (text) => {
        if (isBroken) throw new Error('the model is gone');
        return anAssessment(text);
      },
    });
    const { ask } = await open({ scorer });
    const sessionId = await startAfterGreeting(ask);
    live.script.transcript.push(answer(SAID));
    const { turnId, heard } = await recordAndFinishTurn(ask, sessionId);
    expect(heard).toMatchObject({ status: 'not_scored', text: SAID });
    const again = await restart({ scorer });
    expect((await again.practice.session({ sessionId })).waitingTurn).toEqual(heard);
    expect((await again.practice.sendTurn({ sessionId, turnId })).turns.at(-1)).toMatchObject({ text: SAID });
    isBroken = false;
    expect(await again.practice.finish({ sessionId })).toMatchObject({ status: 'completed', dimensions: { pron: 66 } });
  });

  it('are not added to a turn that the learner typed instead', async () => {
    const scorer = aScriptedScorer({
      assess: () => {
        throw new Error('the model is gone');
      },
    });
    const { ask } = await open({ scorer });
    const sessionId = await startAfterGreeting(ask);
    live.script.transcript.push(answer(SAID));
    await recordAndFinishTurn(ask, sessionId);
    const sent = await ask.practice.sendTyped({ sessionId, text: 'It was the engine.', hintLevel: 0 });
    expect(sent.turns.at(-1)).toMatchObject({ text: 'It was the engine.', mode: 'typed', recordingId: null });
  });
});
