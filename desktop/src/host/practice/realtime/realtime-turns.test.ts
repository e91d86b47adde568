import { readFeedbackText, type SessionId } from '@parley/domain';
import { afterEach, describe, expect, it } from 'vitest';
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
import { manualTime } from '../../test-kit/elapsed-time.ts';
import { streamCoach, startModelSession } from '../../test-kit/model-coach-server.ts';
import { aScriptedScorer, type OpenHost, openHost, recordTurn } from '../../test-kit/open-host.ts';

let server: RealtimeTestServer;
let opened: OpenHost;
async function open(
  serverOptions: Parameters<typeof startRealtimeServer>[0] = {},
  hostOptions: Parameters<typeof openHost>[0] = {},
): Promise<OpenHost['ask']> {
  server = await startRealtimeServer(serverOptions);
  opened = await openHost({ serverUrl: server.url, clock: { now: () => new Date() }, ...hostOptions });
  await opened.ask.sync.run();
  return opened.ask;
}
afterEach(async () => {
  await opened.host.close();
  await server.close();
});

/** Starts a realtime session in which the coach has greeted the learner. */
async function startGreetedSession(ask: OpenHost['ask']): Promise<{ call: RealtimeWindow; sessionId: SessionId }> {
  const { sessionId } = await startModelSession(ask);
  const call = openRealtimeWindow(ask, sessionId);
  await playUtterance(ask, call);
  return { call, sessionId };
}

describe('the last utterance', () => {
  it('is part of the result when the learner finishes at once', { tags: ['slow'] }, async () => {
    const ask = await open();
    const { call, sessionId } = await startGreetedSession(ask);
    server.fake.script.queueTranscripts('And I will call you tomorrow.');
    await call.sendAudio(voiceLike(1_000));
    await call.sendAudio(silentPcm(100));
    const result = await ask.practice.finish({ sessionId });
    const [said] = learnerTurns(result.session);
    expect(said?.text).toBe('And I will call you tomorrow.');
    expect(said?.assessment).not.toBeNull();
    expect(await recordedVoiceMs(ask, said)).toBeGreaterThan(900);
  });

  it('is transcribed from its recording after a lost connection', { tags: ['slow'] }, async () => {
    const ask = await open();
    const { call, sessionId } = await startGreetedSession(ask);
    server.cut(300);
    await call.next('connecting');
    await call.next('connecting');
    await call.sendAudio(voiceLike(1_000));
    await ask.call.end({ callId: call.callId });
    await call.over;
    server.transcripts.push({ does: 'answer', text: 'The truck broke down.' });
    await expect.poll(() => ask.coach.offer().then(({ realtime }) => realtime), { timeout: 8_000 }).not.toBeNull();
    const [said] = learnerTurns((await ask.practice.finish({ sessionId })).session);
    expect(said?.text).toBe('The truck broke down.');
    expect(await recordedVoiceMs(ask, said)).toBeGreaterThan(900);
  });

  it('is empty when the learner was silent while disconnected', { tags: ['slow'] }, async () => {
    const ask = await open();
    const { call, sessionId } = await startGreetedSession(ask);
    server.cut(300);
    await call.next('connecting');
    await call.next('connecting');
    await call.sendAudio(silentPcm(1_000));
    await ask.call.end({ callId: call.callId });
    await call.over;
    const session = await ask.practice.session({ sessionId });
    expect(session.waitingTurn).toBeNull();
  });
});

describe('a turn that could not be transcribed during the session', () => {
  it('keeps its audio and position and is transcribed at the end', async () => {
    const ask = await open();
    const { call, sessionId } = await startGreetedSession(ask);
    server.fake.script.queueTranscripts(null);
    await call.sendAudio(voiceLike(1_200));
    await call.sendAudio(silentPcm(700));
    await call.next('learnerSaid');
    const [before] = learnerTurns(await ask.practice.session({ sessionId }));
    expect(before).toMatchObject({ text: '', assessment: null });
    expect(await recordedVoiceMs(ask, before)).toBeGreaterThan(1_100);
    server.transcripts.push({ does: 'answer', text: 'It will be two days late.' });
    const result = await ask.practice.finish({ sessionId });
    const [said] = learnerTurns(result.session);
    expect(said).toMatchObject({ turnId: before?.turnId, text: 'It will be two days late.' });
    expect(result.dimensions.accuracy).toBe(80);
  });

  it('does not block the result and can be transcribed again later', { tags: ['slow'] }, async () => {
    const ask = await open();
    const { call, sessionId } = await startGreetedSession(ask);
    server.fake.script.queueTranscripts(null);
    await call.sendAudio(voiceLike(1_200));
    await call.sendAudio(silentPcm(700));
    await call.next('learnerSaid');
    server.transcripts.push(...Array.from({ length: 9 }, () => ({ does: 'reject', status: 500 }) as const));
    const result = await ask.practice.finish({ sessionId });
    expect(result.status).toBe('completed');
    expect(result.dimensions.accuracy).toBeNull();
    expect(learnerTurns(result.session)).toMatchObject([{ text: '', assessment: null }]);
    // The summary must not claim that the learner said nothing, although nothing in the turn can be judged.
    expect(readFeedbackText(result.summary ?? '').point).toMatchObject({ code: 'session', turns: 1 });
    expect(result.feedback?.best).not.toContain('nothing_said');
    expect(result).toMatchObject({ overall: null, isReviewWaiting: false });
    server.transcripts.length = 0;
    server.transcripts.push({ does: 'answer', text: 'It will be two days late.' });
    const again = await ask.practice.retranscribe({ sessionId });
    const [said] = learnerTurns(again.session);
    expect(said?.text).toBe('It will be two days late.');
    expect(said?.assessment).not.toBeNull();
    expect(await recordedVoiceMs(ask, said)).toBeGreaterThan(1_100);
    expect(again.overall).not.toBeNull();
  });

  it('receives its words when they arrive late', { tags: ['slow'] }, async () => {
    const ask = await open({ transcribeMs: 3_300 });
    const { call, sessionId } = await startGreetedSession(ask);
    server.fake.script.queueTranscripts('It will be two days late.');
    await call.sendAudio(voiceLike(1_200));
    await call.sendAudio(silentPcm(700));
    expect(await call.next('learnerSaid')).toEqual({ type: 'learnerSaid', text: '' });
    await expect
      .poll(async () => learnerTurns(await ask.practice.session({ sessionId })))
      .toMatchObject([{ text: 'It will be two days late.', assessment: expect.anything() }]);
    call.close();
  });
});

it('keeps speech without recognised words with the result', async () => {
  const ask = await open();
  const { call, sessionId } = await startGreetedSession(ask);
  server.fake.script.queueTranscripts('', 'It will be two days late.');
  for (const voiceMs of [1_200, 900]) {
    await call.sendAudio(voiceLike(voiceMs));
    await call.sendAudio(silentPcm(700));
    await call.next('learnerSaid');
  }
  const { session, unsent } = await ask.practice.finish({ sessionId });
  expect(learnerTurns(session)).toMatchObject([{ text: 'It will be two days late.' }]);
  expect(unsent).toMatchObject([{ status: 'not_scored', text: null }]);
  expect(await recordedVoiceMs(ask, unsent[0])).toBeGreaterThan(1_100);
});

describe('a missing connection', () => {
  it('loses nothing said while connecting', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    server.fake.script.queueRejections(...Array.from({ length: 4 }, () => ({ does: 'reject', status: 500 }) as const));
    server.fake.script.queueTranscripts('Hello, can you hear me?');
    const call = openRealtimeWindow(ask, sessionId);
    await call.next('connecting');
    await call.sendAudio(voiceLike(1_500));
    expect(await call.next('connecting')).toMatchObject({ isAgain: false });
    await call.next('open');
    await call.sendAudio(silentPcm(700));
    expect(await call.next('learnerSaid')).toMatchObject({ text: 'Hello, can you hear me?' });
    const [said] = learnerTurns(await ask.practice.session({ sessionId }));
    expect(await recordedVoiceMs(ask, said)).toBeGreaterThan(1_400);
    call.close();
  });

  it("keeps only the part of the coach's utterance that was heard, and the coach continues", async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    server.fake.script.queueReplies(
      { text: 'One two three four five six seven eight nine ten.', audioMs: 4_000 },
      'Hello?',
    );
    const call = openRealtimeWindow(ask, sessionId);
    await expect.poll(() => call.all('coachWords').length).toBeGreaterThan(0);
    const { itemId } = await call.next('coachAudio');
    await expect.poll(() => coachAudioMs(call)).toBe(4_000);
    call.skipReceived('coachAudio');
    await call.next('connecting');
    server.cut(200);
    await call.next('connecting');
    await ask.call.played({ callId: call.callId, itemId, audioMs: 2_000 });
    await call.next('open');
    await call.next('open');
    await playUtterance(ask, call);
    const { turns } = await ask.practice.session({ sessionId });
    expect(turns.map(({ text }) => text)).toEqual(['One two three four five …', 'Hello?']);
    call.close();
  });
});

describe("a session that ends during the coach's utterance", () => {
  const COUNTING = { text: 'One two three four five six seven eight nine ten.', audioMs: 4_000 };

  /** Starts a session in which the whole first utterance has arrived, with manual time. */
  async function whileCoachSpeaks() {
    const passTime = manualTime();
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    server.fake.script.queueReplies(COUNTING, 'Hello?');
    const call = openRealtimeWindow(ask, sessionId);
    const { itemId } = await call.next('coachAudio');
    await expect.poll(() => coachAudioMs(call)).toBe(4_000);
    const said = async (): Promise<string[]> =>
      (await opened.ask.practice.session({ sessionId })).turns.map(({ text }) => text);
    return { ask, call, sessionId, itemId, said, passTime };
  }

  /** Puts the coach on hold halfway through the utterance, as a window does for "Give me a moment". */
  async function onHold() {
    const speaking = await whileCoachSpeaks();
    const { ask, call, itemId } = speaking;
    await ask.call.setOnHold({ callId: call.callId, on: true });
    await ask.call.played({ callId: call.callId, itemId, audioMs: 2_000, isHeld: true });
    speaking.passTime(10_000);
    return speaking;
  }

  it('keeps the heard part when the window closes during a hold', async () => {
    const { call, said } = await onHold();
    call.close();
    await expect.poll(said).toEqual(['One two three four five …']);
  });

  it('keeps the heard part when another window takes over', async () => {
    const { ask, sessionId, said } = await onHold();
    const other = openRealtimeWindow(ask, sessionId, { takeOver: true });
    await other.next('connecting');
    expect(await said()).toEqual(['One two three four five …']);
    other.close();
  });

  it('keeps the heard part when the host closes', async () => {
    const { said } = await onHold();
    await opened.host.close();
    opened = await openHost({ serverUrl: server.url, dataDir: opened.dataDir });
    expect(await said()).toEqual(['One two three four five …']);
  });

  it('keeps the heard part when the server stays unreachable', async () => {
    const { call, said, passTime } = await onHold();
    server.cut(5_000);
    await call.next('connecting');
    await call.next('connecting');
    passTime(31_000);
    await expect(call.over).rejects.toMatchObject({ code: 'coach.unavailable' });
    server.cut();
    expect(await said()).toEqual(['One two three four five …']);
  });

  it('estimates the heard part from the clock when the window disappears', async () => {
    const { call, said, passTime } = await whileCoachSpeaks();
    passTime(2_000);
    call.close();
    await expect.poll(said).toEqual(['One two three four five …']);
  });

  it('keeps nothing of an utterance that was never heard', async () => {
    const { call, said, sessionId } = await whileCoachSpeaks();
    call.close();
    await expect.poll(async () => (await opened.ask.practice.session({ sessionId })).phase).toBe('paused');
    expect(await said()).toEqual([]);
  });
});

it('a realtime session sends the coach a turn that was being recorded', async () => {
  const ask = await open();
  const { sessionId } = await startModelSession(ask);
  server.judgements.push({ does: 'answer', text: 'Good morning.' });
  await streamCoach(ask, sessionId);
  const { turnId } = await recordTurn(ask, sessionId);
  server.fake.script.queueTranscripts('I am sorry for the delay.');
  const call = openRealtimeWindow(ask, sessionId);
  await call.next('open');
  await call.sendAudio(silentPcm(700));
  await call.next('learnerSaid');
  const [said] = learnerTurns(await ask.practice.session({ sessionId }));
  expect(said?.text).toBe('I am sorry for the delay.');
  expect(await recordedVoiceMs(ask, said)).toBeGreaterThan(900);
  await expect(ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 })).rejects.toMatchObject({
    code: 'turn.not_ready',
  });
  call.close();
});

it('a realtime session that begins while a turn is being assessed does not transcribe it again', async () => {
  const { promise: isAssessed, resolve: finishAssessing } = Promise.withResolvers<void>();
  const scorer = aScriptedScorer();
  const ask = await open(
    {},
    { scorer: { ...scorer, assess: (speech) => isAssessed.then(() => scorer.assess(speech)) } },
  );
  const { sessionId } = await startModelSession(ask);
  server.judgements.push({ does: 'answer', text: 'Good morning.' });
  await streamCoach(ask, sessionId);
  server.transcripts.push({ does: 'answer', text: 'It will be two weeks late.' });
  server.fake.script.queueReplies('Two weeks? Why?');
  const { turnId } = await recordTurn(ask, sessionId);
  const finishing = ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
  const call = openRealtimeWindow(ask, sessionId);
  setTimeout(() => finishAssessing(), 100);
  await finishing;
  await playUtterance(ask, call);
  const { turns } = await ask.practice.session({ sessionId });
  expect(turns.map(({ text }) => text)).toEqual(['Good morning.', 'It will be two weeks late.', 'Two weeks? Why?']);
  expect(turns[1]).toMatchObject({ turnId });
  call.close();
});

it('a realtime session stores the part of a recorded turn that is too old for the coach', async () => {
  const ask = await open();
  const { sessionId } = await startModelSession(ask);
  server.judgements.push({ does: 'answer', text: 'Good morning.' });
  await streamCoach(ask, sessionId);
  await recordTurn(ask, sessionId, Uint8Array.from(voiceLike(80_000)));
  server.fake.script.queueTranscripts('So we will send it on Monday.');
  const call = openRealtimeWindow(ask, sessionId);
  await call.next('open');
  await call.sendAudio(silentPcm(700));
  await call.next('learnerSaid');
  const said = learnerTurns(await ask.practice.session({ sessionId }));
  expect(said.map(({ text }) => text)).toEqual(['', 'So we will send it on Monday.']);
  const [early, late] = [await recordedVoiceMs(ask, said[0]), await recordedVoiceMs(ask, said[1])];
  expect(early).toBeGreaterThan(24_000);
  expect(early + late).toBeGreaterThan(78_000);
  await ask.call.end({ callId: call.callId });
  await call.over;
  server.transcripts.push({ does: 'answer', text: 'There was a problem.' });
  const result = await ask.practice.finish({ sessionId });
  expect(learnerTurns(result.session)[0]?.text).toBe('There was a problem.');
});

it('a hint opened before the realtime session counts for its turn', async () => {
  const ask = await open();
  const { sessionId } = await startModelSession(ask);
  server.judgements.push({ does: 'answer', text: 'Good morning.' });
  await streamCoach(ask, sessionId);
  const replies = [{ keywords: 'the supplier', sentence: 'Our supplier has a problem.' }];
  server.judgements.push({ does: 'answer', text: JSON.stringify({ replies }) });
  await ask.practice.hint({ sessionId, level: 3 });
  const call = openRealtimeWindow(ask, sessionId);
  await call.next('open');
  await call.sendAudio(voiceLike(1_200));
  await call.sendAudio(silentPcm(700));
  await call.next('learnerSaid');
  expect(learnerTurns(await ask.practice.session({ sessionId }))).toMatchObject([{ hintLevel: 3 }]);
  call.close();
});

describe('a hold', () => {
  it('continues after a reconnect', { tags: ['slow'] }, async () => {
    const ask = await open();
    const { call } = await startGreetedSession(ask);
    await ask.call.setOnHold({ callId: call.callId, on: true });
    const chunksBefore = call.all('coachAudio').length;
    await call.sendAudio(voiceLike(400));
    server.cut(100);
    await call.next('connecting');
    await call.next('connecting');
    await call.next('open');
    await call.next('open');
    await call.sendAudio(voiceLike(800));
    await call.sendAudio(silentPcm(700));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(call.all('coachAudio')).toHaveLength(chunksBefore);
    call.close();
  });
});
