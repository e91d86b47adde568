import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LATE_DELIVERY, NAME_THE_DELAY } from '../../test-kit/a-catalogue.ts';
import {
  aPause,
  aVoice,
  type AWindow,
  callFrom,
  type CallServer,
  hearOut,
  learnerTurns,
  recordedMs,
  soundMs,
  startCallServer,
} from '../../test-kit/a-call.ts';
import { startLive } from '../../test-kit/a-live-coach.ts';
import { aScriptedScorer, type OpenHost, openHost, removeDataFolders } from '../../test-kit/open-host.ts';

let server: CallServer;
beforeAll(async () => {
  server = await startCallServer();
});
afterAll(() => server.close());

let opened: OpenHost;
async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost['ask']> {
  opened = await openHost({ serverUrl: server.url, clock: { now: () => new Date() }, ...options });
  await opened.ask.sync.run();
  return opened.ask;
}
afterEach(async () => {
  server.twin.script.clear();
  server.verdicts.length = 0;
  await opened.host.close();
  removeDataFolders();
});

const sentence = async (call: AWindow, ms = 1_200): Promise<void> => {
  await call.say(aVoice(ms));
  await call.say(aPause(700));
};

describe('a call', () => {
  it('is offered where the server has such a coach', async () => {
    const ask = await open();
    expect((await ask.coach.offer()).realtime).toEqual({ where: 'own', name: 'gpt-realtime-2.1' });
  });

  it('keeps every turn with its sound, ticks what was proved, and scores what was said while it goes on', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    server.twin.script.says('Good morning. Where is my order?', 'Two days? What happened?');
    server.twin.script.hears('It will be two days late.');
    server.verdicts.push({
      does: 'answer',
      text: JSON.stringify({ proofs: [{ objective: 1, words: 'two days late' }] }),
    });
    const call = callFrom(ask, sessionId);
    expect(await call.next('open')).toMatchObject({ remainingS: null });
    await hearOut(ask, call);
    await sentence(call);
    expect(await call.next('learnerSaid')).toMatchObject({ text: 'It will be two days late.' });
    await hearOut(ask, call);
    await expect
      .poll(async () => learnerTurns(await ask.practice.session({ sessionId }))[0]?.assessment)
      .not.toBeNull();

    const session = await ask.practice.session({ sessionId });
    expect(session.turns.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'coach: Good morning. Where is my order?',
      'learner: It will be two days late.',
      'coach: Two days? What happened?',
    ]);
    expect(session.objectives).toContainEqual(
      expect.objectContaining({ objectiveId: NAME_THE_DELAY, provedBy: 'two days late' }),
    );
    const [said] = learnerTurns(session);
    expect(said).toMatchObject({ mode: 'voice', node: null });
    // All of what was said, and not the coach's line or the silence around it.
    expect(said === undefined ? 0 : await recordedMs(ask, said)).toBeGreaterThan(1_100);

    await ask.call.end({ callId: call.callId });
    expect(await call.next('over')).toMatchObject({ reason: 'ended' });
    await call.over;
    expect((await ask.practice.session({ sessionId })).phase).toBe('paused');
    const result = await ask.practice.finish({ sessionId });
    expect(result).toMatchObject({ status: 'completed' });
    // Nobody knows what was left out of what was said freely.
    expect(result.dimensions).toMatchObject({ accuracy: 80, completeness: null });
  });

  it('stops the coach for who breaks in, and keeps only what was heard of its line', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    server.twin.script.says({ text: 'One two three four five six seven eight nine ten.', audioMs: 4_000 }, 'Yes?');
    server.twin.script.hears('Wait a moment please.');
    const call = callFrom(ask, sessionId);
    await expect.poll(() => soundMs(call)).toBe(4_000);
    await call.say(aVoice(900));
    const { itemId } = await call.next('bargeIn');
    await ask.call.played({ callId: call.callId, itemId, audioMs: 2_000 });
    await call.next('coachEnded');
    await call.say(aPause(700));
    await call.next('learnerSaid');
    const { turns } = await ask.practice.session({ sessionId });
    expect(turns.map(({ text }) => text)).toEqual(['One two three four five', 'Wait a moment please.']);
    call.leave();
  });

  it('says goodbye: the session is over', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    const lines = ['Hello.', 'I see.', 'And then?', 'All right.', 'Good.'];
    server.twin.script.says(...lines, { text: 'Thank you. Goodbye!', calls: 'end_lesson' });
    const call = callFrom(ask, sessionId);
    await hearOut(ask, call);
    for (let turn = 0; turn < 5 && call.all('over').length === 0; turn += 1) {
      server.twin.script.hears(turn === 4 ? 'Thank you, goodbye!' : 'We send it on Monday.');
      await sentence(call);
      await hearOut(ask, call);
    }
    expect(await call.next('over')).toMatchObject({ reason: 'goodbye' });
    expect((await ask.practice.session({ sessionId })).phase).toBe('ended');
  });
});

describe('a line that breaks', () => {
  it('is taken up again, and the coach hears what was said meanwhile', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    server.twin.script.says('Good morning.', 'On Monday? Good.');
    server.twin.script.hears('It will come on Monday.');
    const call = callFrom(ask, sessionId);
    await hearOut(ask, call);
    await call.say(aVoice(800));
    await call.next('learnerStarted');
    server.cut(500);
    await call.say(aVoice(700));
    expect((await call.next('connecting')).isAgain).toBe(false);
    expect((await call.next('connecting')).isAgain).toBe(true);
    await call.next('open');
    await call.next('open');
    await call.say(aPause(700));
    await call.next('learnerSaid');
    const [said] = learnerTurns(await ask.practice.session({ sessionId }));
    expect(said?.text).toBe('It will come on Monday.');
    expect(said === undefined ? 0 : await recordedMs(ask, said)).toBeGreaterThan(1_400);
    call.leave();
  });

  it('in a long turn costs nothing of it', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    const call = callFrom(ask, sessionId);
    await hearOut(ask, call);
    await call.say(aVoice(14_000));
    await call.next('learnerStarted');
    server.cut(300);
    await call.say(aVoice(14_000));
    await call.next('open');
    await call.next('open');
    await call.say(aPause(700));
    await call.next('learnerSaid');
    const [said] = learnerTurns(await ask.practice.session({ sessionId }));
    expect(said === undefined ? 0 : await recordedMs(ask, said)).toBeGreaterThan(27_500);
    call.leave();
  });

  it('for good keeps also what was only said when it had broken', async () => {
    let nowMs = Date.now();
    const ask = await open({ clock: { now: () => new Date(nowMs) } });
    const { sessionId } = await startLive(ask);
    const call = callFrom(ask, sessionId);
    await hearOut(ask, call);
    server.cut(5_000);
    await call.next('connecting');
    await call.next('connecting');
    await call.say(aVoice(2_000));
    nowMs += 31_000;
    await expect(call.over).rejects.toMatchObject({ code: 'coach.unavailable' });
    server.cut();
    expect((await ask.practice.session({ sessionId })).waitingTurn).not.toBeNull();
  });

  it('as soon as it is open is not dialed for ever', async () => {
    let nowMs = Date.now();
    const ask = await open({ clock: { now: () => new Date(nowMs) } });
    const { sessionId } = await startLive(ask);
    const call = callFrom(ask, sessionId);
    for (let breaks = 0; breaks < 5 && call.all('open').length <= breaks; breaks += 1) {
      await call.next('open');
      nowMs += 8_000;
      server.cut();
    }
    await expect(call.over).rejects.toMatchObject({ code: 'coach.unavailable' });
  });

  it('for good ends the call; the session waits, and what was begun with it', async () => {
    let nowMs = Date.now();
    const ask = await open({ clock: { now: () => new Date(nowMs) } });
    const { sessionId } = await startLive(ask);
    const call = callFrom(ask, sessionId);
    await hearOut(ask, call);
    await call.say(aVoice(800));
    await call.next('learnerStarted');
    server.cut(5_000);
    await call.next('connecting');
    await call.next('connecting');
    nowMs += 31_000;
    await expect(call.over).rejects.toMatchObject({ code: 'coach.unavailable' });
    server.cut();
    const session = await ask.practice.session({ sessionId });
    expect(session.phase).toBe('paused');
    expect(session.waitingTurn).not.toBeNull();
  });

  it('is no reason to lose what was being said when the program was killed: the next call tells it', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    server.twin.script.hears('I am sorry for the delay.');
    const call = callFrom(ask, sessionId);
    await hearOut(ask, call);
    await call.say(aVoice(1_000));
    await call.next('learnerStarted');
    await opened.host.close();
    opened = await openHost({ serverUrl: server.url, clock: { now: () => new Date() }, dataDir: opened.dataDir });
    const again = callFrom(opened.ask, sessionId);
    await again.next('open');
    await again.say(aPause(700));
    await again.next('learnerSaid');
    const [said] = learnerTurns(await opened.ask.practice.session({ sessionId }));
    expect(said?.text).toBe('I am sorry for the delay.');
    expect(said === undefined ? 0 : await recordedMs(opened.ask, said)).toBeGreaterThan(900);
    again.leave();
  });
});

describe('a coach that fails', () => {
  it('is called once more, and then it is told', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    const broken = { does: 'reject', status: 500 } as const;
    server.twin.script.refuses(broken, broken, broken, broken, broken, broken, broken, broken);
    const call = callFrom(ask, sessionId);
    await expect(call.over).rejects.toMatchObject({ code: 'coach.unavailable' });
    expect(call.all('connecting')).toEqual([
      { type: 'connecting', isAgain: false },
      { type: 'connecting', isAgain: false },
    ]);
    expect((await ask.practice.session({ sessionId })).phase).toBe('paused');
  });

  it('by its key is not called again', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    server.twin.script.refuses({ does: 'reject', status: 401 });
    const call = callFrom(ask, sessionId);
    await expect(call.over).rejects.toMatchObject({ code: 'coach.misconfigured' });
    expect(call.all('connecting')).toHaveLength(1);
  });
});

describe('a session', () => {
  it('has one call: another window is told of it, and ends it only by taking it over', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    const first = callFrom(ask, sessionId);
    await first.next('open');
    await expect(callFrom(ask, sessionId).over).rejects.toMatchObject({ code: 'live.other_window' });
    await first.say(aVoice(40));
    const second = callFrom(ask, sessionId, { takeOver: true });
    await expect(first.over).rejects.toMatchObject({ code: 'live.other_window' });
    await second.next('open');
    expect((await ask.practice.session({ sessionId })).phase).not.toBe('paused');
    await expect(first.say(aVoice(40))).rejects.toMatchObject({ code: 'session.ended' });
    second.leave();
  });

  it('that is guided, or written, is no call', async () => {
    const ask = await open();
    const guided = await ask.practice.start({
      practiceId: LATE_DELIVERY,
      difficulty: 'easy',
      communicationStyle: 'audio',
      coachKind: 'guided',
    });
    await expect(callFrom(ask, guided.sessionId).over).rejects.toMatchObject({ code: 'practice.no_dialogue' });
  });

  it('keeps the words of a turn whose sound could not be scored', async () => {
    const scorer = aScriptedScorer({
      assess: () => {
        throw new Error('no model');
      },
    });
    const ask = await open({ scorer });
    const { sessionId } = await startLive(ask);
    const call = callFrom(ask, sessionId);
    await hearOut(ask, call);
    await sentence(call);
    await call.next('learnerSaid');
    const [said] = learnerTurns(await ask.practice.session({ sessionId }));
    expect(said).toMatchObject({ assessment: null, mode: 'voice' });
    expect(said?.recordingId).not.toBeNull();
    call.leave();
  });
});
