import type { SessionId } from '@parley/domain';
import { afterEach, describe, expect, it } from 'vitest';
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
import { hearCoach, startLive } from '../../test-kit/a-live-coach.ts';
import { aClock, type OpenHost, openHost, removeDataFolders, sayTurn } from '../../test-kit/open-host.ts';

let server: CallServer;
let opened: OpenHost;
async function open(
  serverOptions: Parameters<typeof startCallServer>[0] = {},
  hostOptions: Parameters<typeof openHost>[0] = {},
): Promise<OpenHost['ask']> {
  server = await startCallServer(serverOptions);
  opened = await openHost({ serverUrl: server.url, clock: { now: () => new Date() }, ...hostOptions });
  await opened.ask.sync.run();
  return opened.ask;
}
afterEach(async () => {
  await opened.host.close();
  await server.close();
  removeDataFolders();
});

/** A call in which the coach has greeted. */
async function inCall(ask: OpenHost['ask']): Promise<{ call: AWindow; sessionId: SessionId }> {
  const { sessionId } = await startLive(ask);
  const call = callFrom(ask, sessionId);
  await hearOut(ask, call);
  return { call, sessionId };
}

describe('what was said last', () => {
  it('is in the result of whoever finishes at once', async () => {
    const ask = await open();
    const { call, sessionId } = await inCall(ask);
    server.twin.script.hears('And I will call you tomorrow.');
    await call.say(aVoice(1_000));
    await call.say(aPause(100));
    const result = await ask.practice.finish({ sessionId });
    const [said] = learnerTurns(result.session);
    expect(said?.text).toBe('And I will call you tomorrow.');
    expect(said?.assessment).not.toBeNull();
    expect(await recordedMs(ask, said)).toBeGreaterThan(900);
  });

  it('is in the result too where the line had broken: it is written down from its recording', async () => {
    const ask = await open();
    const { call, sessionId } = await inCall(ask);
    server.cut(300);
    await call.next('connecting');
    await call.next('connecting');
    await call.say(aVoice(1_000));
    await ask.call.end({ callId: call.callId });
    await call.over;
    server.transcripts.push({ does: 'answer', text: 'The truck broke down.' });
    await expect.poll(() => ask.coach.offer().then(({ realtime }) => realtime), { timeout: 8_000 }).not.toBeNull();
    const [said] = learnerTurns((await ask.practice.finish({ sessionId })).session);
    expect(said?.text).toBe('The truck broke down.');
    expect(await recordedMs(ask, said)).toBeGreaterThan(900);
  });

  it('was nothing where nobody spoke while the line was broken', async () => {
    const ask = await open();
    const { call, sessionId } = await inCall(ask);
    server.cut(300);
    await call.next('connecting');
    await call.next('connecting');
    await call.say(aPause(1_000));
    await ask.call.end({ callId: call.callId });
    await call.over;
    const session = await ask.practice.session({ sessionId });
    expect(session.waitingTurn).toBeNull();
  });
});

describe('a turn that could not be written down in the call', () => {
  it('is kept with its sound, in its place, and written down at the end', async () => {
    const ask = await open();
    const { call, sessionId } = await inCall(ask);
    server.twin.script.hears(null);
    await call.say(aVoice(1_200));
    await call.say(aPause(700));
    await call.next('learnerSaid');
    const [before] = learnerTurns(await ask.practice.session({ sessionId }));
    expect(before).toMatchObject({ text: '', assessment: null });
    expect(await recordedMs(ask, before)).toBeGreaterThan(1_100);
    server.transcripts.push({ does: 'answer', text: 'It will be two days late.' });
    const result = await ask.practice.finish({ sessionId });
    const [said] = learnerTurns(result.session);
    expect(said).toMatchObject({ turnId: before?.turnId, text: 'It will be two days late.' });
    expect(result.dimensions.accuracy).toBe(80);
  });

  it('holds up no result, stays a dash where nobody can write it down, and is tried again when the learner wishes', async () => {
    const ask = await open();
    const { call, sessionId } = await inCall(ask);
    server.twin.script.hears(null);
    await call.say(aVoice(1_200));
    await call.say(aPause(700));
    await call.next('learnerSaid');
    server.transcripts.push(...Array.from({ length: 9 }, () => ({ does: 'reject', status: 500 }) as const));
    const result = await ask.practice.finish({ sessionId });
    expect(result.status).toBe('completed');
    expect(result.dimensions.accuracy).toBeNull();
    expect(learnerTurns(result.session)).toMatchObject([{ text: '', assessment: null }]);
    // Whoever spoke is not told that they said nothing, and nothing of it is judged.
    expect(`${result.summary} ${result.feedback?.best}`).not.toContain('before your first answer');
    expect(result).toMatchObject({ overall: null, isReviewWaiting: false });
    server.transcripts.length = 0;
    server.transcripts.push({ does: 'answer', text: 'It will be two days late.' });
    const again = await ask.practice.writeDown({ sessionId });
    const [said] = learnerTurns(again.session);
    expect(said?.text).toBe('It will be two days late.');
    expect(said?.assessment).not.toBeNull();
    expect(await recordedMs(ask, said)).toBeGreaterThan(1_100);
    expect(again.overall).not.toBeNull();
  });

  it('gets its words when they come late', async () => {
    const ask = await open({ transcribeMs: 3_300 });
    const { call, sessionId } = await inCall(ask);
    server.twin.script.hears('It will be two days late.');
    await call.say(aVoice(1_200));
    await call.say(aPause(700));
    expect(await call.next('learnerSaid')).toEqual({ type: 'learnerSaid', text: '' });
    await expect
      .poll(async () => learnerTurns(await ask.practice.session({ sessionId })), { timeout: 2_000 })
      .toMatchObject([{ text: 'It will be two days late.', assessment: expect.anything() }]);
    call.leave();
  });
});

describe('a line that is not there', () => {
  it('while it rings loses nothing of what is said', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    server.twin.script.refuses(...Array.from({ length: 4 }, () => ({ does: 'reject', status: 500 }) as const));
    server.twin.script.hears('Hello, is anybody there?');
    const call = callFrom(ask, sessionId);
    await call.next('connecting');
    await call.say(aVoice(1_500));
    expect(await call.next('connecting')).toMatchObject({ isAgain: false });
    await call.next('open');
    await call.say(aPause(700));
    expect(await call.next('learnerSaid')).toMatchObject({ text: 'Hello, is anybody there?' });
    const [said] = learnerTurns(await ask.practice.session({ sessionId }));
    expect(await recordedMs(ask, said)).toBeGreaterThan(1_400);
    call.leave();
  });

  it('any more keeps of the coach what was heard of it', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    server.twin.script.says({ text: 'One two three four five six seven eight nine ten.', audioMs: 4_000 }, 'Hello?');
    const call = callFrom(ask, sessionId);
    await expect.poll(() => call.all('coachWords').length).toBeGreaterThan(0);
    const { itemId } = await call.next('coachSound');
    await expect.poll(() => soundMs(call)).toBe(4_000);
    await call.next('connecting');
    server.cut(200);
    await call.next('connecting');
    await ask.call.played({ callId: call.callId, itemId, audioMs: 2_000 });
    await call.next('open');
    await call.next('open');
    const { turns } = await ask.practice.session({ sessionId });
    expect(turns.map(({ text }) => text)).toEqual(['One two three four five']);
    call.leave();
  });
});

describe('a call that ends within the coach’s words', () => {
  const COUNTING = { text: 'One two three four five six seven eight nine ten.', audioMs: 4_000 };

  /** A call in which all of the coach's first utterance has come, on a clock that moves when it is told to. */
  async function whileCoachSpeaks() {
    const clock = aClock(new Date().toISOString());
    const ask = await open({}, { clock });
    const { sessionId } = await startLive(ask);
    server.twin.script.says(COUNTING, 'Hello?');
    const call = callFrom(ask, sessionId);
    const { itemId } = await call.next('coachSound');
    await expect.poll(() => soundMs(call)).toBe(4_000);
    const said = async (): Promise<string[]> =>
      (await opened.ask.practice.session({ sessionId })).turns.map(({ text }) => text);
    return { ask, call, sessionId, itemId, said, clock };
  }

  /** Held after half of it, as a window does for "Give me a moment". */
  async function onHold() {
    const speaking = await whileCoachSpeaks();
    const { ask, call, itemId } = speaking;
    await ask.call.giveMeAMoment({ callId: call.callId, on: true });
    await ask.call.played({ callId: call.callId, itemId, audioMs: 2_000, isHeld: true });
    speaking.clock.pass(10_000);
    return speaking;
  }

  it('keeps what was heard when the window is closed during a moment', async () => {
    const { call, said } = await onHold();
    call.leave();
    await expect.poll(said).toEqual(['One two three four five']);
  });

  it('keeps what was heard when another window takes the call over', async () => {
    const { ask, sessionId, said } = await onHold();
    const other = callFrom(ask, sessionId, { takeOver: true });
    await other.next('connecting');
    expect(await said()).toEqual(['One two three four five']);
    other.leave();
  });

  it('keeps what was heard when the host closes', async () => {
    const { said } = await onHold();
    await opened.host.close();
    opened = await openHost({ serverUrl: server.url, dataDir: opened.dataDir });
    expect(await said()).toEqual(['One two three four five']);
  });

  it('keeps what was heard when the server cannot be reached any more', async () => {
    const { call, said, clock } = await onHold();
    server.cut(5_000);
    await call.next('connecting');
    await call.next('connecting');
    clock.pass(31_000);
    await expect(call.over).rejects.toMatchObject({ code: 'coach.unavailable' });
    server.cut();
    expect(await said()).toEqual(['One two three four five']);
  });

  it('reckons by the clock what was heard in a window that is gone without a word', async () => {
    const { call, said, clock } = await whileCoachSpeaks();
    clock.pass(2_000);
    call.leave();
    await expect.poll(said).toEqual(['One two three four five']);
  });

  it('keeps nothing of what nobody heard yet', async () => {
    const { call, said, sessionId } = await whileCoachSpeaks();
    call.leave();
    await expect.poll(async () => (await opened.ask.practice.session({ sessionId })).phase).toBe('paused');
    expect(await said()).toEqual([]);
  });
});

it('a call that begins while a turn is being recorded tells the coach what was said in it', async () => {
  const ask = await open();
  const { sessionId } = await startLive(ask);
  server.verdicts.push({ does: 'answer', text: 'Good morning.' });
  await hearCoach(ask, sessionId);
  const { turnId } = await sayTurn(ask, sessionId);
  server.twin.script.hears('I am sorry for the delay.');
  const call = callFrom(ask, sessionId);
  await call.next('open');
  await call.say(aPause(700));
  await call.next('learnerSaid');
  const [said] = learnerTurns(await ask.practice.session({ sessionId }));
  expect(said?.text).toBe('I am sorry for the delay.');
  expect(await recordedMs(ask, said)).toBeGreaterThan(900);
  await expect(ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 })).rejects.toMatchObject({
    code: 'turn.not_ready',
  });
  call.leave();
});

it('a hint that was opened before the call counts for the turn that it helped with', async () => {
  const ask = await open();
  const { sessionId } = await startLive(ask);
  server.verdicts.push({ does: 'answer', text: 'Good morning.' });
  await hearCoach(ask, sessionId);
  const replies = [{ keywords: 'the supplier', sentence: 'Our supplier has a problem.' }];
  server.verdicts.push({ does: 'answer', text: JSON.stringify({ replies }) });
  await ask.practice.hint({ sessionId, level: 3 });
  const call = callFrom(ask, sessionId);
  await call.next('open');
  await call.say(aVoice(1_200));
  await call.say(aPause(700));
  await call.next('learnerSaid');
  expect(learnerTurns(await ask.practice.session({ sessionId }))).toMatchObject([{ hintLevel: 3 }]);
  call.leave();
});

describe('who asked for a moment', () => {
  it('has it also on the next line', async () => {
    const ask = await open();
    const { call } = await inCall(ask);
    await ask.call.giveMeAMoment({ callId: call.callId, on: true });
    const coachLines = call.all('coachSound').length;
    await call.say(aVoice(400));
    server.cut(100);
    await call.next('connecting');
    await call.next('connecting');
    await call.next('open');
    await call.next('open');
    await call.say(aVoice(800));
    await call.say(aPause(700));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(call.all('coachSound')).toHaveLength(coachLines);
    call.leave();
  });
});
