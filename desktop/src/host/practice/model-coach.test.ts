import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CoachReplyUpdate } from '@parley/contract';
import { readFeedbackText } from '@parley/domain';
import { APOLOGISE, NAME_THE_DELAY } from '../test-kit/test-catalogue.ts';
import {
  json,
  type ModelCoachServer,
  answer,
  startAzure,
  startModelSession,
  startModelCoachServer,
} from '../test-kit/model-coach-server.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import { aClock, type OpenHost, openHost, removeDataFolders, recordTurn } from '../test-kit/open-host.ts';

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    await sleep(20);
    collect();
  }
}

let live: ModelCoachServer;
beforeAll(async () => {
  live = await startModelCoachServer();
});
afterAll(() => live.close());

let opened: OpenHost;
const open = async (options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost['ask']> => {
  opened = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() }, ...options });
  await opened.ask.sync.run();
  return opened.ask;
};
afterEach(async () => {
  for (const steps of Object.values(live.script)) steps.length = 0;
  await opened.host.close();
  removeDataFolders();
});

async function streamReply(ask: OpenHost['ask'], sessionId: string) {
  const events: CoachReplyUpdate[] = [];
  for await (const event of await ask.practice.streamCoachReply({ sessionId })) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'session') throw new Error("the coach's reply did not end");
  return { events, session: last.session };
}

/** Finishes a session whose coach fails every review. */
async function aSessionWithoutReview(said: string) {
  const clock = aClock(new Date().toISOString());
  const ask = await open({ clock });
  const { sessionId } = await startModelSession(ask, 'text');
  await streamReply(ask, sessionId);
  await ask.practice.sendTyped({ sessionId, text: said, hintLevel: 0 });
  for (let step = 0; step < 100; step += 1) live.script.review.push({ does: 'reject', status: 500 });
  return { ask, clock, sessionId, before: await ask.practice.finish({ sessionId }) };
}

describe('a session with a model coach', () => {
  it("proves objectives in free speech and ends with the coach's review", async () => {
    const ask = await open();
    const { sessionId, phase, coachKind, turns } = await startModelSession(ask, 'text');
    expect({ phase, coachKind, turns }).toEqual({ phase: 'coach_turn', coachKind: 'model', turns: [] });

    live.script.reply.push(answer('Good morning. Where is my order?'));
    const opening = await streamReply(ask, sessionId);
    expect(opening.session).toMatchObject({ phase: 'learner_turn' });
    expect(opening.events.flatMap((event) => (event.type === 'words' ? [event.text] : [])).join('')).toBe(
      'Good morning. Where is my order?',
    );

    const sent = await ask.practice.sendTyped({ sessionId, text: 'It will be two days late, I fear.', hintLevel: 0 });
    expect(sent).toMatchObject({
      phase: 'coach_turn',
      turns: [{ role: 'coach' }, { role: 'learner', fitted: true, node: null }],
    });
    await expect(ask.practice.sendTyped({ sessionId, text: 'And more.', hintLevel: 0 })).rejects.toMatchObject({
      code: 'turn.not_ready',
    });

    live.script.reply.push(answer('Oh no. And what will you do?'));
    live.script.judge.push(json({ proofs: [{ objective: 1, words: 'two days late' }] }));
    const answered = await streamReply(ask, sessionId);
    expect(answered.events).toContainEqual({ type: 'proved', objectiveId: NAME_THE_DELAY, words: 'two days late' });
    expect(answered.session.objectives).toContainEqual(
      expect.objectContaining({ objectiveId: NAME_THE_DELAY, provedBy: 'two days late' }),
    );

    await ask.practice.sendTyped({ sessionId, text: 'I am sorry. We send new one tomorrow. Goodbye!', hintLevel: 1 });
    live.script.reply.push(answer('Thank you, that helps. Goodbye. <goodbye/>'));
    live.script.judge.push(json({ proofs: [{ objective: 1, words: 'I am sorry' }] }));
    const over = await streamReply(ask, sessionId);
    expect(over.session).toMatchObject({ phase: 'ended' });
    expect(over.session.turns.at(-1)).toMatchObject({ kind: 'goodbye', text: 'Thank you, that helps. Goodbye.' });
    expect(over.session.objectives.find(({ objectiveId }) => objectiveId === APOLOGISE)?.provedBy).toBe('I am sorry');

    live.script.review.push(json(aReview()));
    const result = await ask.practice.finish({ sessionId });
    expect(result).toMatchObject({
      status: 'completed',
      summary: 'You told a client of a delay.',
      feedback: {
        corrections: [{ said: 'We send new one tomorrow', better: 'We will send a new one tomorrow' }],
      },
      // The score combines all objectives with a language quality of 70.
      overall: 85,
      dimensions: { pron: null },
    });
    // The point was derived here; the coach only says it in its own words.
    expect(readFeedbackText(result.feedback?.best ?? '')).toEqual({
      point: { code: 'all_objectives', total: 2 },
      text: 'You named the delay at once: “two days late”.',
    });
    expect(readFeedbackText(result.feedback?.fix ?? '').point).toEqual({ code: 'correction', index: 0 });
    expect(readFeedbackText(result.feedback?.nextStep ?? '')).toEqual({
      point: { code: 'say_better', index: 0 },
      text: null,
    });
    await expect
      .poll(async () => (await ask.sync.run(), ask.coach.memory()))
      .toEqual({
        lines: ['The learner works with clients abroad.'],
      });
    await ask.coach.forget({ line: 'The learner works with clients abroad.' });
    await expect.poll(async () => (await ask.sync.run(), ask.coach.memory())).toEqual({ lines: [] });
  });

  it('reports sync.offline when a memory cannot be deleted', async () => {
    const ask = await open({ serverUrl: 'http://127.0.0.1:9' });
    await expect(ask.coach.forget({ line: 'The learner works at night.' })).rejects.toMatchObject({
      code: 'sync.offline',
    });
  });

  it('keeps the turn when the coach fails and continues when it is back', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask, 'text');
    await streamReply(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'The delivery is late.', hintLevel: 0 });
    live.script.reply.push({ does: 'reject', status: 401 });
    await expect(streamReply(ask, sessionId)).rejects.toMatchObject({ code: 'coach.misconfigured' });
    live.script.reply.push({ does: 'cut', afterEvents: 8 });
    await expect(streamReply(ask, sessionId)).rejects.toMatchObject({ code: 'coach.unavailable' });
    live.script.reply.push({ does: 'fail', code: 'server_error', text: 'Half a line, and', times: 5 });
    await expect(streamReply(ask, sessionId)).rejects.toMatchObject({ code: 'coach.unavailable' });
    live.script.reply.length = 0;
    const waiting = await ask.practice.session({ sessionId });
    expect(waiting).toMatchObject({ phase: 'coach_turn' });
    expect(waiting.turns).toHaveLength(2);
    live.script.reply.push(answer('Here I am again. How late is it?'));
    const { session } = await streamReply(ask, sessionId);
    expect(session.turns.map(({ text }) => text).slice(1)).toEqual([
      'The delivery is late.',
      'Here I am again. How late is it?',
    ]);
    // Nothing is asked of the coach while it is the learner's turn.
    const calls = live.fake.calls.length;
    expect((await streamReply(ask, sessionId)).session.turns).toHaveLength(3);
    expect(live.fake.calls).toHaveLength(calls);
  });

  it('continues after a declined turn and skips wordless turns', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask, 'text');
    await streamReply(ask, sessionId);
    const { turns } = await ask.practice.sendTyped({
      sessionId,
      text: 'Something that is not answered.',
      hintLevel: 0,
    });
    const wordless = { ...turns.at(-1), turnId: crypto.randomUUID(), text: '', mode: 'voice' };
    await ask.sync.run();
    await opened.host.close();
    inDatabase(opened.dataDir, (sqlite) => {
      sqlite
        .prepare(
          `UPDATE practice_history SET entire_conversation = json_insert(entire_conversation, '$[#]', json(?)) WHERE id = ?`,
        )
        .run(JSON.stringify(wordless), sessionId);
      sqlite.exec('CREATE TEMP TABLE wordless AS SELECT * FROM ai_conversations ORDER BY conversation_id DESC LIMIT 1');
      sqlite
        .prepare(
          `UPDATE wordless SET previous_turn_id = conversation_id, conversation_id = ?, content = '', mode = 'voice'`,
        )
        .run(wordless.turnId);
      sqlite.exec('INSERT INTO ai_conversations SELECT * FROM wordless');
    });
    const again = await open({ dataDir: opened.dataDir });
    live.script.reply.push({ does: 'refuse' });
    await expect(streamReply(again, sessionId)).rejects.toMatchObject({ code: 'coach.declined' });
    const declined = await again.practice.session({ sessionId });
    expect(declined.phase).toBe('learner_turn');
    expect(declined.turns.slice(1)).toMatchObject([{ fitted: false }, { text: '', fitted: true }]);
    await again.practice.sendTyped({ sessionId, text: 'It will be late.', hintLevel: 0 });
    live.script.reply.push(answer('I see. When will it come?'));
    expect((await streamReply(again, sessionId)).session.phase).toBe('learner_turn');
  });

  it("keeps and scores a proof when the coach's reply fails after it", { tags: ['slow'] }, async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask, 'text');
    live.script.reply.push(answer('Good morning. Where is my order?'));
    await streamReply(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'It will be two days late, I fear.', hintLevel: 0 });
    live.script.judge.push(json({ proofs: [{ objective: 1, words: 'two days late' }] }));
    live.script.reply.push({ does: 'fall_silent', afterEvents: 4 });
    const events: CoachReplyUpdate[] = [];
    const listening = (async () => {
      for await (const event of await ask.practice.streamCoachReply({ sessionId })) events.push(event);
    })();
    await expect(listening).rejects.toMatchObject({ code: 'coach.unavailable' });
    expect(events).toContainEqual({ type: 'proved', objectiveId: NAME_THE_DELAY, words: 'two days late' });
    const provedBy = async () =>
      (await ask.practice.session({ sessionId })).objectives.find(({ objectiveId }) => objectiveId === NAME_THE_DELAY)
        ?.provedBy;
    expect(await provedBy()).toBe('two days late');
    for (let step = 0; step < 20; step += 1) live.script.review.push({ does: 'reject', status: 500 });
    const result = await ask.practice.finish({ sessionId });
    expect(result.overall).toBe(50);
    expect(await provedBy()).toBe('two days late');
  });

  it('is judged at its end when the coach never replied', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask, 'text');
    live.script.reply.push(answer('Good morning. Where is my order?'));
    await streamReply(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'It will be two days late, I fear.', hintLevel: 0 });
    live.script.judge.push(
      json({
        proofs: [
          { objective: 1, words: 'two days late' },
          { objective: 2, words: 'sorry' },
        ],
      }),
    );
    live.script.review.push(json({ ...aReview(), languageQuality: -1 }));
    expect((await ask.practice.finish({ sessionId })).overall).toBe(50);
    const { objectives } = await ask.practice.session({ sessionId });
    expect(objectives.map(({ provedBy }) => provedBy).filter((words) => words !== null)).toEqual(['two days late']);
  });

  it('resumes at the same turn after a host restart', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask, 'text');
    await streamReply(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'The delivery is late.', hintLevel: 0 });
    await opened.host.close();
    const again = await open({ dataDir: opened.dataDir });
    expect(await again.practice.session({ sessionId })).toMatchObject({ phase: 'coach_turn', coachKind: 'model' });
    expect((await streamReply(again, sessionId)).session.phase).toBe('learner_turn');
  });

  it('cancels a reply upstream when the window leaves', { tags: ['slow'] }, async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask, 'text');
    live.script.reply.push({ does: 'fall_silent', afterEvents: 4 });
    const leaving = new AbortController();
    const listening = (async () => {
      for await (const event of await ask.practice.streamCoachReply({ sessionId }, { signal: leaving.signal }))
        if (event.type === 'words') leaving.abort();
    })();
    await expect(listening).rejects.toThrow();
    await expect.poll(() => live.fake.calls.at(-1)?.state).toBe('hung_up');
    expect((await ask.practice.session({ sessionId })).turns).toEqual([]);
  });

  it('is scored by measurements alone when the coach is unreachable', async () => {
    const { before: result } = await aSessionWithoutReview('The delivery is late.');
    expect(result.status).toBe('completed');
    // Nothing was judged, so the share of objectives is unknown and not a measured 0.
    expect(result.overall).toBeNull();
    expect(readFeedbackText(result.summary ?? '').point).toMatchObject({ code: 'session', isJudged: false });
    expect(result.feedback).not.toBeNull();
    expect(result.feedback?.corrections).toBeUndefined();
    expect(result.isReviewWaiting).toBe(true);
  });

  it('receives a late review automatically and keeps its end time', { tags: ['slow'] }, async () => {
    const { ask, clock, sessionId, before } = await aSessionWithoutReview('It will be two days late, I fear.');
    // Opening the result does not use up the scheduled attempts.
    for (let asked = 0; asked < 6; asked += 1)
      expect(await ask.practice.finish({ sessionId })).toMatchObject({ overall: null, isReviewWaiting: true });
    live.script.review.length = 0;
    live.script.review.push(json(aReview()));
    live.script.judge.push(json({ proofs: [{ objective: 1, words: 'two days late' }] }));
    await opened.host.close();
    clock.pass(20 * 60_000);
    const again = await open({ dataDir: opened.dataDir, clock });
    await opened.host.whenIdle();
    const result = await again.practice.result({ sessionId });
    expect(result).toMatchObject({
      status: 'completed',
      summary: 'You told a client of a delay.',
      isReviewWaiting: false,
      endedAt: before.endedAt,
    });
    expect(result.feedback?.corrections).not.toBeUndefined();
    expect(result.overall).not.toBeNull();
  });

  it('stays deleted when its review arrives later', { tags: ['slow'] }, async () => {
    const { ask, sessionId } = await aSessionWithoutReview('The delivery is late.');
    live.script.review.length = 0;
    live.script.review.push({ does: 'answer_late', ms: 400, text: JSON.stringify(aReview()) });
    const asked = live.fake.calls.length;
    const finishing = ask.practice.finish({ sessionId });
    await expect.poll(() => live.fake.calls.length).toBeGreaterThan(asked);
    await ask.history.remove({ sessionId });
    await expect(finishing).rejects.toMatchObject({ code: 'session.not_found' });
    await expect.poll(async () => await ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
    expect((await ask.history.list({ search: '', offset: 0, limit: 1 })).total).toBe(0);
  });

  it('stops retrying a review and keeps what was measured', { tags: ['slow'] }, async () => {
    const { clock, sessionId, before } = await aSessionWithoutReview('The delivery is late.');
    for (let tries = 1; tries < 5; tries += 1) {
      expect((await opened.ask.practice.result({ sessionId })).isReviewWaiting).toBe(true);
      await opened.host.close();
      clock.pass(24 * 3_600_000);
      await open({ dataDir: opened.dataDir, clock });
      await opened.host.whenIdle();
    }
    expect(await opened.ask.practice.result({ sessionId })).toMatchObject({ ...before, isReviewWaiting: false });
  });

  it('offers hints for the next turn', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask, 'text');
    await streamReply(ask, sessionId);
    live.script.hint.push(
      json({
        replies: [
          { keywords: 'two days', sentence: 'It comes in two days.' },
          { keywords: 'the carrier', sentence: 'The carrier was late.' },
        ],
      }),
    );
    expect(await ask.practice.hint({ sessionId, level: 1 })).toEqual({ hints: ['two days', 'the carrier'] });
  });

  it("translates the coach's words into the learner's language", async () => {
    const ask = await open();
    await ask.settings.updateDevice({ ownLanguage: 'German' });
    live.script.reply.push(json({ translation: 'Guten Morgen. Wo ist meine Bestellung?' }));
    expect(await ask.practice.translate({ text: 'Good morning. Where is my order?', language: 'German' })).toEqual({
      text: 'Guten Morgen. Wo ist meine Bestellung?',
    });
    expect(JSON.stringify(live.fake.calls.at(-1)?.body)).toContain('German');
  });

  it('requires a server that has a coach', async () => {
    const ask = await open({ serverUrl: null });
    expect(await ask.coach.offer()).toEqual({
      coach: null,
      transcriber: null,
      scorer: null,
      voice: null,
      realtime: null,
    });
    const { sessionId } = await startModelSession(ask, 'text');
    await expect(streamReply(ask, sessionId)).rejects.toMatchObject({ code: 'coach.unavailable' });
    await ask.practice.discard({ sessionId });
  });
});

describe('speech in a session with a model coach', () => {
  it('is transcribed, assessed on the device and sent', async () => {
    const ask = await open();
    expect(await ask.coach.offer()).toMatchObject({
      coach: { where: 'own', name: 'fake' },
      transcriber: { where: 'own' },
    });
    const { sessionId } = await startModelSession(ask);
    await streamReply(ask, sessionId);
    const { turnId } = await recordTurn(ask, sessionId);
    live.script.transcript.push(answer('Our truck broke down yesterday.'));
    const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(heard).toMatchObject({
      status: 'heard',
      text: 'Our truck broke down yesterday.',
      assessment: { source: 'device', pron: 66 },
    });
    expect((await ask.practice.sendTurn({ sessionId, turnId })).phase).toBe('coach_turn');
    const { session } = await streamReply(ask, sessionId);
    expect(session.turns.at(-2)).toMatchObject({ text: 'Our truck broke down yesterday.', mode: 'voice' });
  });

  it('can be corrected by the learner or assessed again after a failure', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    await streamReply(ask, sessionId);
    const { turnId } = await recordTurn(ask, sessionId);
    for (let step = 0; step < 10; step += 1) live.script.transcript.push({ does: 'reject', status: 500 });
    const failed = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(failed).toMatchObject({ status: 'not_recognised', failure: 'speech.unavailable', candidates: [] });
    live.script.transcript.length = 0;
    live.script.transcript.push(answer('The ship is late.'));
    expect(await ask.practice.reassessTurn({ sessionId, turnId })).toMatchObject({
      status: 'heard',
      text: 'The ship is late.',
    });
    expect(await ask.practice.correctTranscript({ sessionId, turnId, text: 'The shop is late.' })).toMatchObject({
      status: 'heard',
      text: 'The shop is late.',
    });
  });

  it('must be repeated when no words were transcribed', async () => {
    const ask = await open();
    const { sessionId } = await startModelSession(ask);
    await streamReply(ask, sessionId);
    const { turnId } = await recordTurn(ask, sessionId);
    live.script.transcript.push(answer('  '));
    expect(await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 })).toMatchObject({
      status: 'not_recognised',
      failure: null,
    });
  });
});

describe('speech with Azure as assessor', () => {
  it('is assessed by Azure and transcribed elsewhere when Azure fails', { tags: ['slow'] }, async () => {
    const azure = await startAzure([
      // Free speech is transcribed first and then assessed against the transcript.
      { said: 'Our truck broke down yesterday.' },
      {},
      { refuse: 500 },
      { refuse: 500 },
      { refuse: 500 },
      { refuse: 500 },
    ]);
    const own = await startModelCoachServer({ azure });
    try {
      const ask = await open({ serverUrl: own.server.url });
      const { sessionId } = await startModelSession(ask);
      await streamReply(ask, sessionId);
      const { turnId } = await recordTurn(ask, sessionId);
      const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
      expect(heard).toMatchObject({
        status: 'heard',
        text: 'Our truck broke down yesterday.',
        assessment: { source: 'azure', completeness: null },
      });
      await ask.practice.sendTurn({ sessionId, turnId });
      await streamReply(ask, sessionId);
      const second = await recordTurn(ask, sessionId);
      own.script.transcript.push(answer('It was the engine.'));
      expect(await ask.practice.finishTurn({ sessionId, turnId: second.turnId, hintLevel: 0 })).toMatchObject({
        status: 'heard',
        text: 'It was the engine.',
        assessment: { source: 'device' },
      });
    } finally {
      await own.close();
      await azure.close();
    }
  });
});

const aReview = () => ({
  best: 'You named the delay at once: “two days late”.',
  fix: 'Say “will” for what you promise.',
  nextStep: 'Hold it again one level harder.',
  summary: 'You told a client of a delay.',
  corrections: [
    { said: 'We send new one tomorrow', better: 'We will send a new one tomorrow', why: 'A promise takes “will”.' },
  ],
  remember: ['The learner works with clients abroad.'],
  languageQuality: 70,
});

describe('two windows on one session with a model coach', () => {
  const LINE = 'Good morning. I have waited for my order since last week. Where is it now?';
  let slow: ModelCoachServer;
  beforeAll(async () => {
    slow = await startModelCoachServer({ wordDelayMs: 60 });
  });
  afterAll(() => slow.close());

  /** Opens a window that has started to stream the coach's first reply. */
  async function aWindow(signal?: AbortSignal) {
    const ask = await open({ serverUrl: slow.server.url });
    const { sessionId } = await startModelSession(ask, 'text');
    slow.script.reply.push(answer(LINE), answer(LINE));
    const heard = await ask.practice.streamCoachReply({ sessionId }, signal === undefined ? {} : { signal });
    expect(await heard.next()).toMatchObject({ value: { type: 'words' } });
    return { ask, sessionId, heard };
  }

  it('ask the model once, and the second window is refused', async () => {
    const { ask, sessionId, heard } = await aWindow();
    const asked = slow.fake.calls.length;
    await expect(streamReply(ask, sessionId)).rejects.toMatchObject({ code: 'live.other_window' });
    expect(slow.fake.calls).toHaveLength(asked);
    const events: CoachReplyUpdate[] = [];
    for await (const event of heard) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'session', session: { turns: [{ text: LINE }] } });
  });

  it('swap when the second takes over, and store the reply once', { tags: ['slow'] }, async () => {
    const { ask, sessionId, heard } = await aWindow();
    const first = (async () => {
      for await (const event of heard) expect(event.type).toBe('words');
    })();
    first.catch(() => undefined);
    // The stream must outlive the garbage collection of the objects it started with.
    await collectGarbage();
    const events: CoachReplyUpdate[] = [];
    for await (const event of await ask.practice.streamCoachReply({ sessionId, takeOver: true })) events.push(event);
    await expect(first).rejects.toMatchObject({ code: 'live.other_window' });
    expect(events.at(-1)).toMatchObject({ type: 'session', session: { turns: [{ text: LINE }] } });
  });

  it('keep what was heard of a reply that the learner interrupts', async () => {
    const { ask, sessionId, heard } = await aWindow();
    const interrupted = await ask.practice.interruptCoach({ sessionId, heard: 'Good morning. I have waited' });
    expect(interrupted).toMatchObject({ phase: 'learner_turn', turns: [{ text: 'Good morning. I have waited …' }] });
    // The rest of the reply arrives too late.
    for await (const event of heard) expect(event.type).not.toBe('proved');
    expect((await ask.practice.session({ sessionId })).turns).toHaveLength(1);
    const again = await ask.practice.interruptCoach({ sessionId, heard: 'Good' });
    expect(again.turns).toMatchObject([{ text: 'Good morning. I have waited …' }]);
  });

  it('keep the proof of the answer before a reply that the learner interrupts', async () => {
    const ask = await open({ serverUrl: slow.server.url });
    const { sessionId } = await startModelSession(ask, 'text');
    slow.script.reply.push(answer('Good morning.'), answer(LINE));
    await streamReply(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'It will be two days late, I fear.', hintLevel: 0 });
    // The judge is as slow as the coach, so it has not answered when the first words are heard.
    const verdict = JSON.stringify({ proofs: [{ objective: 1, words: 'two days late' }] });
    slow.script.judge.push(answer(`${' \n'.repeat(8)}${verdict}`));
    const leaving = new AbortController();
    const hearing = (async () => {
      for await (const event of await ask.practice.streamCoachReply({ sessionId }, { signal: leaving.signal })) {
        expect(event.type).not.toBe('proved');
        if (event.type !== 'words') continue;
        await ask.practice.interruptCoach({ sessionId, heard: event.text });
        leaving.abort();
      }
    })();
    await expect(hearing).rejects.toThrow();
    const provedBy = async () =>
      (await ask.practice.session({ sessionId })).objectives.map((objective) => objective.provedBy);
    expect(await provedBy()).not.toContain('two days late');
    await expect.poll(provedBy).toContain('two days late');
    await expect.poll(() => slow.fake.calls.every(({ state }) => state !== 'open')).toBe(true);
  });

  it('need no takeover once the first window is gone', { tags: ['slow'] }, async () => {
    const leaving = new AbortController();
    const { ask, sessionId } = await aWindow(leaving.signal);
    leaving.abort();
    expect((await streamReply(ask, sessionId)).session.phase).toBe('learner_turn');
  });
});
