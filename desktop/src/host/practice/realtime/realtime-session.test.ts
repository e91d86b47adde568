import type { SessionId } from '@parley/domain';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { skippableTime } from '../../test-kit/elapsed-time.ts';
import { NAME_THE_DELAY } from '../../test-kit/test-catalogue.ts';
import {
  silentPcm,
  voiceLike,
  type RealtimeWindow,
  openRealtimeWindow,
  type RealtimeTestServer,
  playUtterance,
  learnerTurns,
  recordedVoiceMs,
  coachAudioMs,
  startRealtimeServer,
} from '../../test-kit/realtime-server.ts';
import { startModelSession } from '../../test-kit/model-coach-server.ts';
import { aScriptedScorer, type OpenHost, openHost, startPractice } from '../../test-kit/open-host.ts';

let server: RealtimeTestServer;
beforeAll(async () => {
  server = await startRealtimeServer();
});
afterAll(() => server.close());

let opened: OpenHost;
async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost['ask']> {
  opened = await openHost({ serverUrl: server.url, clock: { now: () => new Date() }, ...options });
  await opened.ask.sync.run();
  return opened.ask;
}
afterEach(async () => {
  server.fake.script.clear();
  server.judgements.length = 0;
  await opened.host.close();
});

const saySentence = async (call: RealtimeWindow, ms = 1_200): Promise<void> => {
  await call.sendAudio(voiceLike(ms));
  await call.sendAudio(silentPcm(700));
};

interface GreetedCall {
  call: RealtimeWindow;
  sessionId: SessionId;
}

/** Starts a call in which the coach has greeted the learner. */
async function startGreetedCall(ask: OpenHost['ask']): Promise<GreetedCall> {
  const { sessionId } = await startModelSession(ask);
  const call = openRealtimeWindow(ask, sessionId);
  await playUtterance(ask, call);
  return { call, sessionId };
}

/** Waits for the second connection, ends the learner's turn with a silence, and returns the turn. */
async function endTurnAfterReconnecting(ask: OpenHost['ask'], { call, sessionId }: GreetedCall) {
  await call.next('open');
  await call.next('open');
  await call.sendAudio(silentPcm(700));
  await call.next('learnerSaid');
  return learnerTurns(await ask.practice.session({ sessionId }))[0];
}

describe('a realtime session', () => {
  it('is offered when the server has a realtime coach', async () => {
    const ask = await open();
    expect((await ask.coach.offer()).realtime).toEqual({ where: 'own', name: 'gpt-realtime-2.1' });
  });

  it('stores every turn with its audio, proofs and score while it runs', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    server.fake.script.queueReplies('Good morning. Where is my order?', 'Two days? What happened?');
    server.fake.script.queueTranscripts('It will be two days late.');
    server.judgements.push({
      does: 'answer',
      text: JSON.stringify({ proofs: [{ objective: 1, words: 'two days late' }] }),
    });
    const call = openRealtimeWindow(ask, sessionId);
    expect(await call.next('open')).toMatchObject({ remainingS: null });
    await playUtterance(ask, call);
    await saySentence(call);
    expect(await call.next('learnerSaid')).toMatchObject({ text: 'It will be two days late.' });
    await playUtterance(ask, call);
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
    // The recording holds everything the learner said, without the coach's utterance and most of the silence.
    expect(said === undefined ? 0 : await recordedVoiceMs(ask, said)).toBeGreaterThan(1_100);

    await ask.call.end({ callId: call.callId });
    expect(await call.next('over')).toMatchObject({ reason: 'ended' });
    await call.over;
    expect((await ask.practice.session({ sessionId })).phase).toBe('paused');
    const result = await ask.practice.finish({ sessionId });
    expect(result).toMatchObject({ status: 'completed' });
    // Completeness is unknown for free speech.
    expect(result.dimensions).toMatchObject({ accuracy: 80, completeness: null });
  });

  it('stops the coach on barge-in and keeps only the heard part', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    server.fake.script.queueReplies(
      { text: 'One two three four five six seven eight nine ten.', audioMs: 4_000 },
      'Yes?',
    );
    server.fake.script.queueTranscripts('Wait a moment please.');
    const call = openRealtimeWindow(ask, sessionId);
    await expect.poll(() => coachAudioMs(call)).toBe(4_000);
    await call.sendAudio(voiceLike(900));
    const { itemId } = await call.next('bargeIn');
    await ask.call.played({ callId: call.callId, itemId, audioMs: 2_000 });
    await call.next('coachEnded');
    await call.sendAudio(silentPcm(700));
    await call.next('learnerSaid');
    const { turns } = await ask.practice.session({ sessionId });
    expect(turns.map(({ text }) => text)).toEqual(['One two three four five …', 'Wait a moment please.']);
    call.close();
  });

  it('ends when the coach says goodbye', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    const lines = ['Hello.', 'I see.', 'And then?', 'All right.', 'Good.'];
    server.fake.script.queueReplies(...lines, { text: 'Thank you. Goodbye!', callsFunction: 'end_lesson' });
    const call = openRealtimeWindow(ask, sessionId);
    await playUtterance(ask, call);
    for (let turn = 0; turn < 5 && call.all('over').length === 0; turn += 1) {
      server.fake.script.queueTranscripts(turn === 4 ? 'Thank you, goodbye!' : 'We send it on Monday.');
      await saySentence(call);
      await playUtterance(ask, call);
    }
    expect(await call.next('over')).toMatchObject({ reason: 'goodbye' });
    expect((await ask.practice.session({ sessionId })).phase).toBe('ended');
  });
});

describe('a broken connection', () => {
  it('is restored, and the coach receives the speech from the gap', async () => {
    const ask = await open();
    server.fake.script.queueReplies('Good morning.', 'On Monday? Good.');
    server.fake.script.queueTranscripts('It will come on Monday.');
    const { call, sessionId } = await startGreetedCall(ask);
    await call.sendAudio(voiceLike(800));
    await call.next('learnerStarted');
    server.cut(500);
    await call.sendAudio(voiceLike(700));
    expect((await call.next('connecting')).isAgain).toBe(false);
    expect((await call.next('connecting')).isAgain).toBe(true);
    const said = await endTurnAfterReconnecting(ask, { call, sessionId });
    expect(said?.text).toBe('It will come on Monday.');
    expect(said === undefined ? 0 : await recordedVoiceMs(ask, said)).toBeGreaterThan(1_400);
    call.close();
  });

  it('loses nothing of a long turn', async () => {
    const ask = await open();
    const { call, sessionId } = await startGreetedCall(ask);
    await call.sendAudio(voiceLike(14_000));
    await call.next('learnerStarted');
    server.cut(300);
    await call.sendAudio(voiceLike(14_000));
    const said = await endTurnAfterReconnecting(ask, { call, sessionId });
    expect(said === undefined ? 0 : await recordedVoiceMs(ask, said)).toBeGreaterThan(27_500);
    call.close();
  });

  it('is restored, and the coach receives what was said before the break was noticed', async () => {
    const ask = await open();
    server.fake.script.queueReplies('Good morning.', 'On Monday? Good.');
    server.fake.script.queueTranscripts('It will come on Monday.');
    const { call, sessionId } = await startGreetedCall(ask);
    server.stall();
    await call.sendAudio(silentPcm(2_000));
    await call.sendAudio(voiceLike(1_500));
    server.cut();
    const said = await endTurnAfterReconnecting(ask, { call, sessionId });
    expect(said?.text).toBe('It will come on Monday.');
    expect(said === undefined ? 0 : await recordedVoiceMs(ask, said)).toBeGreaterThan(1_400);
    call.close();
  });

  it('keeps what was said before the break was noticed when the learner ends the call', async () => {
    const ask = await open();
    const { call, sessionId } = await startGreetedCall(ask);
    server.stall();
    await call.sendAudio(voiceLike(1_500));
    await ask.call.end({ callId: call.callId });
    await call.over;
    server.cut();
    expect((await ask.practice.session({ sessionId })).waitingTurn).not.toBeNull();
  });

  it('keeps speech that began after the connection broke for good', async () => {
    const passTime = skippableTime();
    const ask = await open();
    const { call, sessionId } = await startGreetedCall(ask);
    server.cut(5_000);
    await call.next('connecting');
    await call.next('connecting');
    await call.sendAudio(voiceLike(2_000));
    passTime(31_000);
    await expect(call.over).rejects.toMatchObject({ code: 'coach.unavailable' });
    server.cut();
    expect((await ask.practice.session({ sessionId })).waitingTurn).not.toBeNull();
  });

  it('is not redialled forever when it breaks right after opening', { tags: ['slow'] }, async () => {
    const passTime = skippableTime();
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    const call = openRealtimeWindow(ask, sessionId);
    for (let breaks = 0; breaks < 5 && call.all('open').length <= breaks; breaks += 1) {
      await call.next('open');
      passTime(8_000);
      server.cut();
    }
    await expect(call.over).rejects.toMatchObject({ code: 'coach.unavailable' });
  });

  it('pauses the session and keeps the unfinished turn when it is permanent', async () => {
    const passTime = skippableTime();
    const ask = await open();
    const { call, sessionId } = await startGreetedCall(ask);
    await call.sendAudio(voiceLike(800));
    await call.next('learnerStarted');
    server.cut(5_000);
    await call.next('connecting');
    await call.next('connecting');
    passTime(31_000);
    await expect(call.over).rejects.toMatchObject({ code: 'coach.unavailable' });
    server.cut();
    const session = await ask.practice.session({ sessionId });
    expect(session.phase).toBe('paused');
    expect(session.waitingTurn).not.toBeNull();
  });

  it('recovers unsent audio after a crash', async () => {
    const ask = await open();
    server.fake.script.queueTranscripts('I am sorry for the delay.');
    const { call, sessionId } = await startGreetedCall(ask);
    await call.sendAudio(voiceLike(1_000));
    await call.next('learnerStarted');
    await opened.host.close();
    opened = await openHost({ serverUrl: server.url, clock: { now: () => new Date() }, dataDir: opened.dataDir });
    const again = openRealtimeWindow(opened.ask, sessionId);
    await again.next('open');
    await again.sendAudio(silentPcm(700));
    await again.next('learnerSaid');
    const [said] = learnerTurns(await opened.ask.practice.session({ sessionId }));
    expect(said?.text).toBe('I am sorry for the delay.');
    expect(said === undefined ? 0 : await recordedVoiceMs(opened.ask, said)).toBeGreaterThan(900);
    again.close();
  });
});

describe('a turn that waits to be sent', () => {
  it('keeps its corrected words when a call begins, and is not transcribed again', async () => {
    const ask = await open();
    server.fake.script.queueReplies('Good morning.', 'Two weeks? Why?');
    server.transcripts.push({ does: 'answer', text: 'It will be two weak late.' });
    const { call, sessionId } = await startGreetedCall(ask);
    await call.sendAudio(voiceLike(1_200));
    await call.next('learnerStarted');
    call.close();
    const { waitingTurn } = await ask.practice.resume({ sessionId });
    expect(waitingTurn).toMatchObject({ status: 'heard', text: 'It will be two weak late.' });
    const turnId = waitingTurn?.turnId ?? '';
    await ask.practice.correctTranscript({ sessionId, turnId, text: 'It will be two weeks late.' });

    const again = openRealtimeWindow(ask, sessionId);
    await playUtterance(ask, again);
    await again.sendAudio(silentPcm(700));
    const { turns } = await ask.practice.session({ sessionId });
    expect(turns.map(({ text }) => text)).toEqual(['Good morning.', 'It will be two weeks late.', 'Two weeks? Why?']);
    expect(turns[1]).toMatchObject({ turnId, mode: 'voice', assessment: expect.anything() });
    expect(JSON.stringify(server.fake.sessions.at(-1)?.received)).toContain('It will be two weeks late.');
    again.close();
  });
});

describe('a failing realtime coach', () => {
  it('is retried once and then reported', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    const broken = { does: 'reject', status: 500 } as const;
    server.fake.script.queueRejections(broken, broken, broken, broken, broken, broken, broken, broken);
    const call = openRealtimeWindow(ask, sessionId);
    await expect(call.over).rejects.toMatchObject({ code: 'coach.unavailable' });
    expect(call.all('connecting')).toEqual([
      { type: 'connecting', isAgain: false },
      { type: 'connecting', isAgain: false },
    ]);
    expect((await ask.practice.session({ sessionId })).phase).toBe('paused');
  });

  it('that declined a turn does not receive it again', async () => {
    const ask = await open();
    const filtered = { text: 'No.', failure: { does: 'filtered', afterMs: 0 } } as const;
    server.fake.script.queueReplies('Good morning.', filtered, filtered);
    server.fake.script.queueTranscripts('Something terrible.', 'I am sorry.');
    const { call, sessionId } = await startGreetedCall(ask);
    await saySentence(call);
    await expect(call.over).rejects.toMatchObject({ code: 'coach.declined' });
    const [declined] = learnerTurns(await ask.practice.session({ sessionId }));
    expect(declined).toMatchObject({ text: 'Something terrible.', fitted: false });

    server.fake.script.queueReplies('That is all right.');
    const again = openRealtimeWindow(ask, sessionId);
    await again.next('open');
    await saySentence(again);
    await playUtterance(ask, again);
    const { turns } = await ask.practice.session({ sessionId });
    expect(turns.map(({ text }) => text)).toEqual([
      'Good morning.',
      'Something terrible.',
      'I am sorry.',
      'That is all right.',
    ]);
    expect(JSON.stringify(server.fake.sessions.at(-1)?.received)).not.toContain('terrible');
    again.close();
  });

  it('is not retried when its key is refused', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    server.fake.script.queueRejections({ does: 'reject', status: 401 });
    const call = openRealtimeWindow(ask, sessionId);
    await expect(call.over).rejects.toMatchObject({ code: 'coach.misconfigured' });
    expect(call.all('connecting')).toHaveLength(1);
  });
});

describe('a session', () => {
  it('has one realtime session, which another window must take over', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    const first = openRealtimeWindow(ask, sessionId);
    await first.next('open');
    await expect(openRealtimeWindow(ask, sessionId).over).rejects.toMatchObject({ code: 'live.other_window' });
    await first.sendAudio(voiceLike(40));
    const second = openRealtimeWindow(ask, sessionId, { takeOver: true });
    await expect(first.over).rejects.toMatchObject({ code: 'live.other_window' });
    await second.next('open');
    expect((await ask.practice.session({ sessionId })).phase).not.toBe('paused');
    await expect(first.sendAudio(voiceLike(40))).rejects.toMatchObject({ code: 'session.ended' });
    second.close();
  });

  it('with a guided coach cannot become a realtime session', async () => {
    const ask = await open();
    const guided = await startPractice(ask, 'audio');
    await expect(openRealtimeWindow(ask, guided.sessionId).over).rejects.toMatchObject({
      code: 'practice.no_dialogue',
    });
  });

  it('keeps the words of a turn that could not be scored', async () => {
    const scorer = aScriptedScorer({
      assess: () => {
        throw new Error('no model');
      },
    });
    const ask = await open({ scorer });
    const { call, sessionId } = await startGreetedCall(ask);
    await saySentence(call);
    await call.next('learnerSaid');
    const [said] = learnerTurns(await ask.practice.session({ sessionId }));
    expect(said).toMatchObject({ assessment: null, mode: 'voice' });
    expect(said?.recordingId).not.toBeNull();
    call.close();
  });
});
