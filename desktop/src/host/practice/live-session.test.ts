import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CoachSpeaking } from '@parley/contract';
import { APOLOGISE, NAME_THE_DELAY } from '../test-kit/a-catalogue.ts';
import { json, type LiveServer, saying, startAzure, startLive, startLiveServer } from '../test-kit/a-live-coach.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import { aClock, type OpenHost, openHost, removeDataFolders, sayTurn } from '../test-kit/open-host.ts';

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    await sleep(20);
    collect();
  }
}

let live: LiveServer;
beforeAll(async () => {
  live = await startLiveServer();
});
afterAll(() => live.close());

let opened: OpenHost;
const open = async (options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost['ask']> => {
  opened = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() }, ...options });
  await opened.ask.sync.run();
  return opened.ask;
};
afterEach(async () => {
  for (const steps of Object.values(live.says)) steps.length = 0;
  await opened.host.close();
  removeDataFolders();
});

async function hear(ask: OpenHost['ask'], sessionId: string) {
  const events: CoachSpeaking[] = [];
  for await (const event of await ask.practice.hearCoach({ sessionId })) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'session') throw new Error('the coach did not come to an end');
  return { events, session: last.session };
}

/** A conversation that is over, of which its coach could not say anything, and cannot for as long as it is asked. */
async function withoutReview(said: string) {
  const clock = aClock(new Date().toISOString());
  const ask = await open({ clock });
  const { sessionId } = await startLive(ask, 'text');
  await hear(ask, sessionId);
  await ask.practice.sendTyped({ sessionId, text: said, hintLevel: 0 });
  for (let step = 0; step < 100; step += 1) live.says.review.push({ does: 'reject', status: 500 });
  return { ask, clock, sessionId, before: await ask.practice.finish({ sessionId }) };
}

describe('a live conversation', () => {
  it('goes freely, ticks what the learner’s own words prove, and ends with the coach’s judgement', async () => {
    const ask = await open();
    const { sessionId, phase, coachKind, turns } = await startLive(ask, 'text');
    expect({ phase, coachKind, turns }).toEqual({ phase: 'coach_turn', coachKind: 'live', turns: [] });

    live.says.reply.push(saying('Good morning. Where is my order?'));
    const opening = await hear(ask, sessionId);
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

    live.says.reply.push(saying('Oh no. And what will you do?'));
    live.says.judge.push(json({ proofs: [{ objective: 1, words: 'two days late' }] }));
    const answered = await hear(ask, sessionId);
    expect(answered.events).toContainEqual({ type: 'proved', objectiveId: NAME_THE_DELAY, words: 'two days late' });
    expect(answered.session.objectives).toContainEqual(
      expect.objectContaining({ objectiveId: NAME_THE_DELAY, provedBy: 'two days late' }),
    );

    await ask.practice.sendTyped({ sessionId, text: 'I am sorry. We send new one tomorrow. Goodbye!', hintLevel: 1 });
    live.says.reply.push(saying('Thank you, that helps. Goodbye. <goodbye/>'));
    live.says.judge.push(json({ proofs: [{ objective: 1, words: 'I am sorry' }] }));
    const over = await hear(ask, sessionId);
    expect(over.session).toMatchObject({ phase: 'ended' });
    expect(over.session.turns.at(-1)).toMatchObject({ kind: 'goodbye', text: 'Thank you, that helps. Goodbye.' });
    expect(over.session.objectives.find(({ objectiveId }) => objectiveId === APOLOGISE)?.provedBy).toBe('I am sorry');

    live.says.review.push(json(aReview()));
    const result = await ask.practice.finish({ sessionId });
    expect(result).toMatchObject({
      status: 'completed',
      summary: 'You told a client of a delay.',
      feedback: {
        best: 'You named the delay at once.',
        corrections: [{ said: 'We send new one tomorrow', better: 'We will send a new one tomorrow' }],
      },
      // Every objective, and a language quality of 70.
      overall: 85,
      dimensions: { pron: null },
    });
    await expect
      .poll(async () => (await ask.sync.run(), ask.coach.memory()))
      .toEqual({
        lines: ['The learner works with clients abroad.'],
      });
    await ask.coach.forget({ line: 'The learner works with clients abroad.' });
    await expect.poll(async () => (await ask.sync.run(), ask.coach.memory())).toEqual({ lines: [] });
  });

  it('forgets nothing without its server, and says that it was out of reach', async () => {
    const ask = await open({ serverUrl: 'http://127.0.0.1:9' });
    await expect(ask.coach.forget({ line: 'The learner works at night.' })).rejects.toMatchObject({
      code: 'sync.offline',
    });
  });

  it('keeps what was said when the coach fails, and goes on when it is back', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask, 'text');
    await hear(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'The delivery is late.', hintLevel: 0 });
    live.says.reply.push({ does: 'reject', status: 401 });
    await expect(hear(ask, sessionId)).rejects.toMatchObject({ code: 'coach.misconfigured' });
    live.says.reply.push({ does: 'cut', afterEvents: 8 });
    await expect(hear(ask, sessionId)).rejects.toMatchObject({ code: 'coach.unavailable' });
    live.says.reply.push({ does: 'fail', code: 'server_error', text: 'Half a line, and', times: 5 });
    await expect(hear(ask, sessionId)).rejects.toMatchObject({ code: 'coach.unavailable' });
    live.says.reply.length = 0;
    const waiting = await ask.practice.session({ sessionId });
    expect(waiting).toMatchObject({ phase: 'coach_turn' });
    expect(waiting.turns).toHaveLength(2);
    live.says.reply.push(saying('Here I am again. How late is it?'));
    const { session } = await hear(ask, sessionId);
    expect(session.turns.map(({ text }) => text).slice(1)).toEqual([
      'The delivery is late.',
      'Here I am again. How late is it?',
    ]);
    // Nothing is asked of the coach when it is the learner's turn.
    const calls = live.twin.calls.length;
    expect((await hear(ask, sessionId)).session.turns).toHaveLength(3);
    expect(live.twin.calls).toHaveLength(calls);
  });

  it('goes on where the coach would not answer, and what was said after it has no words', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask, 'text');
    await hear(ask, sessionId);
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
    live.says.reply.push({ does: 'refuse' });
    await expect(hear(again, sessionId)).rejects.toMatchObject({ code: 'coach.declined' });
    const declined = await again.practice.session({ sessionId });
    expect(declined.phase).toBe('learner_turn');
    expect(declined.turns.slice(1)).toMatchObject([{ fitted: false }, { text: '', fitted: true }]);
    await again.practice.sendTyped({ sessionId, text: 'It will be late.', hintLevel: 0 });
    live.says.reply.push(saying('I see. When will it come?'));
    expect((await hear(again, sessionId)).session.phase).toBe('learner_turn');
  });

  it('keeps what was ticked though the coach’s answer fails after it, and scores it', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask, 'text');
    live.says.reply.push(saying('Good morning. Where is my order?'));
    await hear(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'It will be two days late, I fear.', hintLevel: 0 });
    live.says.judge.push(json({ proofs: [{ objective: 1, words: 'two days late' }] }));
    live.says.reply.push({ does: 'fall_silent', afterEvents: 4 });
    const events: CoachSpeaking[] = [];
    const listening = (async () => {
      for await (const event of await ask.practice.hearCoach({ sessionId })) events.push(event);
    })();
    await expect(listening).rejects.toMatchObject({ code: 'coach.unavailable' });
    expect(events).toContainEqual({ type: 'proved', objectiveId: NAME_THE_DELAY, words: 'two days late' });
    const provedBy = async () =>
      (await ask.practice.session({ sessionId })).objectives.find(({ objectiveId }) => objectiveId === NAME_THE_DELAY)
        ?.provedBy;
    expect(await provedBy()).toBe('two days late');
    for (let step = 0; step < 20; step += 1) live.says.review.push({ does: 'reject', status: 500 });
    const result = await ask.practice.finish({ sessionId });
    expect(result.overall).toBe(50);
    expect(await provedBy()).toBe('two days late');
  });

  it('is judged at its end where the coach has not answered any more', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask, 'text');
    live.says.reply.push(saying('Good morning. Where is my order?'));
    await hear(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'It will be two days late, I fear.', hintLevel: 0 });
    live.says.judge.push(
      json({
        proofs: [
          { objective: 1, words: 'two days late' },
          { objective: 2, words: 'sorry' },
        ],
      }),
    );
    live.says.review.push(json({ ...aReview(), languageQuality: -1 }));
    expect((await ask.practice.finish({ sessionId })).overall).toBe(50);
    const { objectives } = await ask.practice.session({ sessionId });
    expect(objectives.map(({ provedBy }) => provedBy).filter((words) => words !== null)).toEqual(['two days late']);
  });

  it('stands where it stood when the host is started again', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask, 'text');
    await hear(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'The delivery is late.', hintLevel: 0 });
    await opened.host.close();
    const again = await open({ dataDir: opened.dataDir });
    expect(await again.practice.session({ sessionId })).toMatchObject({ phase: 'coach_turn', coachKind: 'live' });
    expect((await hear(again, sessionId)).session.phase).toBe('learner_turn');
  });

  it('that nobody wants to hear is given up upstream, and leaves nothing half', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask, 'text');
    live.says.reply.push({ does: 'fall_silent', afterEvents: 4 });
    const leaving = new AbortController();
    const listening = (async () => {
      for await (const event of await ask.practice.hearCoach({ sessionId }, { signal: leaving.signal }))
        if (event.type === 'words') leaving.abort();
    })();
    await expect(listening).rejects.toThrow();
    await expect.poll(() => live.twin.calls.at(-1)?.state).toBe('hung_up');
    expect((await ask.practice.session({ sessionId })).turns).toEqual([]);
  });

  it('is judged by what was measured when the coach cannot be reached at its end', async () => {
    const { before: result } = await withoutReview('The delivery is late.');
    expect(result.status).toBe('completed');
    // Nobody has judged what was said: no share of the objectives is a measured 0.
    expect(result.overall).toBeNull();
    expect(result.summary).not.toMatch(/0 of/);
    expect(result.feedback).not.toBeNull();
    expect(result.feedback?.corrections).toBeUndefined();
    expect(result.isReviewWaiting).toBe(true);
  });

  it('has what its coach says of it later, by itself, and as it ended', async () => {
    const { ask, clock, sessionId, before } = await withoutReview('It will be two days late, I fear.');
    // Whoever reads it may ask as often as they like.
    for (let asked = 0; asked < 6; asked += 1)
      expect(await ask.practice.finish({ sessionId })).toMatchObject({ overall: null, isReviewWaiting: true });
    live.says.review.length = 0;
    live.says.review.push(json(aReview()));
    live.says.judge.push(json({ proofs: [{ objective: 1, words: 'two days late' }] }));
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

  it('is not asked about for ever: what was measured stays', async () => {
    const { clock, sessionId, before } = await withoutReview('The delivery is late.');
    for (let tries = 1; tries < 5; tries += 1) {
      expect((await opened.ask.practice.result({ sessionId })).isReviewWaiting).toBe(true);
      await opened.host.close();
      clock.pass(24 * 3_600_000);
      await open({ dataDir: opened.dataDir, clock });
      await opened.host.whenIdle();
    }
    expect(await opened.ask.practice.result({ sessionId })).toMatchObject({ ...before, isReviewWaiting: false });
  });

  it('gives hints for what could be said now', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask, 'text');
    await hear(ask, sessionId);
    live.says.hint.push(
      json({
        replies: [
          { keywords: 'two days', sentence: 'It comes in two days.' },
          { keywords: 'the carrier', sentence: 'The carrier was late.' },
        ],
      }),
    );
    expect(await ask.practice.hint({ sessionId, level: 1 })).toEqual({ hints: ['two days', 'the carrier'] });
  });

  it('is translated line by line into the learner’s own language', async () => {
    const ask = await open();
    await ask.settings.updateDevice({ ownLanguage: 'German' });
    live.says.reply.push(json({ translation: 'Guten Morgen. Wo ist meine Bestellung?' }));
    expect(await ask.practice.translate({ text: 'Good morning. Where is my order?', language: 'German' })).toEqual({
      text: 'Guten Morgen. Wo ist meine Bestellung?',
    });
    expect(JSON.stringify(live.twin.calls.at(-1)?.body)).toContain('German');
  });

  it('needs a server that has a coach', async () => {
    const ask = await open({ serverUrl: null });
    expect(await ask.coach.offer()).toEqual({
      coach: null,
      transcriber: null,
      scorer: null,
      voice: null,
      realtime: null,
    });
    const { sessionId } = await startLive(ask, 'text');
    await expect(hear(ask, sessionId)).rejects.toMatchObject({ code: 'coach.unavailable' });
    await ask.practice.discard({ sessionId });
  });
});

describe('what is said in a live conversation', () => {
  it('is written down, scored here against that, and sent', async () => {
    const ask = await open();
    expect(await ask.coach.offer()).toMatchObject({
      coach: { where: 'own', name: 'twin' },
      transcriber: { where: 'own' },
    });
    const { sessionId } = await startLive(ask);
    await hear(ask, sessionId);
    const { turnId } = await sayTurn(ask, sessionId);
    live.says.transcript.push(saying('Our truck broke down yesterday.'));
    const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(heard).toMatchObject({
      status: 'heard',
      text: 'Our truck broke down yesterday.',
      assessment: { source: 'device', pron: 66 },
    });
    expect((await ask.practice.sendTurn({ sessionId, turnId })).phase).toBe('coach_turn');
    const { session } = await hear(ask, sessionId);
    expect(session.turns.at(-2)).toMatchObject({ text: 'Our truck broke down yesterday.', mode: 'voice' });
  });

  it('can be written by the learner when nobody could write it down, or heard again', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    await hear(ask, sessionId);
    const { turnId } = await sayTurn(ask, sessionId);
    for (let step = 0; step < 10; step += 1) live.says.transcript.push({ does: 'reject', status: 500 });
    const failed = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(failed).toMatchObject({ status: 'not_recognised', failure: 'speech.unavailable', candidates: [] });
    live.says.transcript.length = 0;
    live.says.transcript.push(saying('The ship is late.'));
    expect(await ask.practice.hearAgain({ sessionId, turnId })).toMatchObject({
      status: 'heard',
      text: 'The ship is late.',
    });
    expect(await ask.practice.nameTurn({ sessionId, turnId, text: 'The shop is late.' })).toMatchObject({
      status: 'heard',
      text: 'The shop is late.',
    });
  });

  it('is asked for again when nothing was understood', async () => {
    const ask = await open();
    const { sessionId } = await startLive(ask);
    await hear(ask, sessionId);
    const { turnId } = await sayTurn(ask, sessionId);
    live.says.transcript.push(saying('  '));
    expect(await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 })).toMatchObject({
      status: 'not_recognised',
      failure: null,
    });
  });
});

describe('what is said where Azure listens', () => {
  it('is scored by it, and written down by another when it fails', async () => {
    const azure = await startAzure([
      // Free speech is written down first, then assessed against that.
      { said: 'Our truck broke down yesterday.' },
      {},
      { refuse: 500 },
      { refuse: 500 },
      { refuse: 500 },
      { refuse: 500 },
    ]);
    const own = await startLiveServer({ azure });
    try {
      const ask = await open({ serverUrl: own.server.url });
      const { sessionId } = await startLive(ask);
      await hear(ask, sessionId);
      const { turnId } = await sayTurn(ask, sessionId);
      const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
      expect(heard).toMatchObject({
        status: 'heard',
        text: 'Our truck broke down yesterday.',
        assessment: { source: 'azure', completeness: null },
      });
      await ask.practice.sendTurn({ sessionId, turnId });
      await hear(ask, sessionId);
      const second = await sayTurn(ask, sessionId);
      own.says.transcript.push(saying('It was the engine.'));
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
  best: 'You named the delay at once.',
  fix: 'Say “will” for what you promise.',
  nextStep: 'Hold it again one level harder.',
  summary: 'You told a client of a delay.',
  corrections: [
    { said: 'We send new one tomorrow', better: 'We will send a new one tomorrow', why: 'A promise takes “will”.' },
  ],
  remember: ['The learner works with clients abroad.'],
  languageQuality: 70,
});

describe('two windows on one live conversation', () => {
  const LINE = 'Good morning. I have waited for my order since last week. Where is it now?';
  let slow: LiveServer;
  beforeAll(async () => {
    slow = await startLiveServer({ paceMs: 60 });
  });
  afterAll(() => slow.close());

  /** A window that has begun to hear the coach's first line. */
  async function aWindow(signal?: AbortSignal) {
    const ask = await open({ serverUrl: slow.server.url });
    const { sessionId } = await startLive(ask, 'text');
    slow.says.reply.push(saying(LINE), saying(LINE));
    const heard = await ask.practice.hearCoach({ sessionId }, signal === undefined ? {} : { signal });
    expect(await heard.next()).toMatchObject({ value: { type: 'words' } });
    return { ask, sessionId, heard };
  }

  it('ask the model once: the second is told, and the first hears the line to its end', async () => {
    const { ask, sessionId, heard } = await aWindow();
    const asked = slow.twin.calls.length;
    await expect(hear(ask, sessionId)).rejects.toMatchObject({ code: 'live.other_window' });
    expect(slow.twin.calls).toHaveLength(asked);
    const events: CoachSpeaking[] = [];
    for await (const event of heard) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'session', session: { turns: [{ text: LINE }] } });
  });

  it('change places when the second takes over: the first is told, and the line is there once', async () => {
    const { ask, sessionId, heard } = await aWindow();
    const first = (async () => {
      for await (const event of heard) expect(event.type).toBe('words');
    })();
    first.catch(() => undefined);
    // A line lasts for longer than what it began with stays in memory.
    await collectGarbage();
    const events: CoachSpeaking[] = [];
    for await (const event of await ask.practice.hearCoach({ sessionId, takeOver: true })) events.push(event);
    await expect(first).rejects.toMatchObject({ code: 'live.other_window' });
    expect(events.at(-1)).toMatchObject({ type: 'session', session: { turns: [{ text: LINE }] } });
  });

  it('are one again as soon as the first is gone', async () => {
    const leaving = new AbortController();
    const { ask, sessionId } = await aWindow(leaving.signal);
    leaving.abort();
    expect((await hear(ask, sessionId)).session.phase).toBe('learner_turn');
  });
});
