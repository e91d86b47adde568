import { describe, expect, it } from 'vitest';
import type { CoachReplyUpdate } from '@parley/contract';
import { readFeedbackText } from '@parley/domain';
import { aReview, setUpModelCoach, streamReply } from '../test-kit/model-coach-fixture.ts';
import { answer, json, startModelSession } from '../test-kit/model-coach-server.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import { APOLOGISE, NAME_THE_DELAY } from '../test-kit/test-catalogue.ts';

const scene = setUpModelCoach();

describe('a session with a model coach', () => {
  it("proves objectives in free speech and ends with the coach's review", async () => {
    const ask = await scene.open();
    const { sessionId, phase, coachKind, turns } = await startModelSession(ask, 'text');
    expect({ phase, coachKind, turns }).toEqual({ phase: 'coach_turn', coachKind: 'model', turns: [] });

    scene.live.script.reply.push(answer('Good morning. Where is my order?'));
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

    scene.live.script.reply.push(answer('Oh no. And what will you do?'));
    scene.live.script.judge.push(json({ proofs: [{ objective: 1, words: 'two days late' }] }));
    const answered = await streamReply(ask, sessionId);
    expect(answered.events).toContainEqual({ type: 'proved', objectiveId: NAME_THE_DELAY, words: 'two days late' });
    expect(answered.session.objectives).toContainEqual(
      expect.objectContaining({ objectiveId: NAME_THE_DELAY, provedBy: 'two days late' }),
    );

    await ask.practice.sendTyped({ sessionId, text: 'I am sorry. We send new one tomorrow. Goodbye!', hintLevel: 1 });
    scene.live.script.reply.push(answer('Thank you, that helps. Goodbye. <goodbye/>'));
    scene.live.script.judge.push(json({ proofs: [{ objective: 1, words: 'I am sorry' }] }));
    const over = await streamReply(ask, sessionId);
    expect(over.session).toMatchObject({ phase: 'ended' });
    expect(over.session.turns.at(-1)).toMatchObject({ kind: 'goodbye', text: 'Thank you, that helps. Goodbye.' });
    expect(over.session.objectives.find(({ objectiveId }) => objectiveId === APOLOGISE)?.provedBy).toBe('I am sorry');

    scene.live.script.review.push(json(aReview()));
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
    const ask = await scene.open({ serverUrl: 'http://127.0.0.1:9' });
    await expect(ask.coach.forget({ line: 'The learner works at night.' })).rejects.toMatchObject({
      code: 'sync.offline',
    });
  });

  it('keeps the turn when the coach fails and continues when it is back', async () => {
    const ask = await scene.open();
    const { sessionId } = await startModelSession(ask, 'text');
    await streamReply(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'The delivery is late.', hintLevel: 0 });
    scene.live.script.reply.push({ does: 'reject', status: 401 });
    await expect(streamReply(ask, sessionId)).rejects.toMatchObject({ code: 'coach.misconfigured' });
    scene.live.script.reply.push({ does: 'cut', afterEvents: 8 });
    await expect(streamReply(ask, sessionId)).rejects.toMatchObject({ code: 'coach.unavailable' });
    scene.live.script.reply.push({ does: 'fail', code: 'server_error', text: 'Half a line, and', times: 5 });
    await expect(streamReply(ask, sessionId)).rejects.toMatchObject({ code: 'coach.unavailable' });
    scene.live.script.reply.length = 0;
    const waiting = await ask.practice.session({ sessionId });
    expect(waiting).toMatchObject({ phase: 'coach_turn' });
    expect(waiting.turns).toHaveLength(2);
    scene.live.script.reply.push(answer('Here I am again. How late is it?'));
    const { session } = await streamReply(ask, sessionId);
    expect(session.turns.map(({ text }) => text).slice(1)).toEqual([
      'The delivery is late.',
      'Here I am again. How late is it?',
    ]);
    // The coach is not called while it is the learner's turn.
    const calls = scene.live.fake.calls.length;
    expect((await streamReply(ask, sessionId)).session.turns).toHaveLength(3);
    expect(scene.live.fake.calls).toHaveLength(calls);
  });

  it('continues after a declined turn and skips wordless turns', async () => {
    const ask = await scene.open();
    const { sessionId } = await startModelSession(ask, 'text');
    await streamReply(ask, sessionId);
    const { turns } = await ask.practice.sendTyped({
      sessionId,
      text: 'Something that is not answered.',
      hintLevel: 0,
    });
    const wordless = { ...turns.at(-1), turnId: crypto.randomUUID(), text: '', mode: 'voice' };
    await ask.sync.run();
    await scene.opened.host.close();
    inDatabase(scene.opened.dataDir, (sqlite) => {
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
    const again = await scene.open({ dataDir: scene.opened.dataDir });
    scene.live.script.reply.push({ does: 'refuse' });
    await expect(streamReply(again, sessionId)).rejects.toMatchObject({ code: 'coach.declined' });
    const declined = await again.practice.session({ sessionId });
    expect(declined.phase).toBe('learner_turn');
    expect(declined.turns.slice(1)).toMatchObject([{ fitted: false }, { text: '', fitted: true }]);
    await again.practice.sendTyped({ sessionId, text: 'It will be late.', hintLevel: 0 });
    scene.live.script.reply.push(answer('I see. When will it come?'));
    expect((await streamReply(again, sessionId)).session.phase).toBe('learner_turn');
  });

  it("keeps and scores a proof when the coach's reply fails after it", { tags: ['slow'] }, async () => {
    const ask = await scene.open();
    const { sessionId } = await startModelSession(ask, 'text');
    scene.live.script.reply.push(answer('Good morning. Where is my order?'));
    await streamReply(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'It will be two days late, I fear.', hintLevel: 0 });
    scene.live.script.judge.push(json({ proofs: [{ objective: 1, words: 'two days late' }] }));
    scene.live.script.reply.push({ does: 'fall_silent', afterEvents: 4 });
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
    for (let step = 0; step < 20; step += 1) scene.live.script.review.push({ does: 'reject', status: 500 });
    const result = await ask.practice.finish({ sessionId });
    expect(result.overall).toBe(50);
    expect(await provedBy()).toBe('two days late');
  });

  it('is judged at its end when the coach never replied', async () => {
    const ask = await scene.open();
    const { sessionId } = await startModelSession(ask, 'text');
    scene.live.script.reply.push(answer('Good morning. Where is my order?'));
    await streamReply(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'It will be two days late, I fear.', hintLevel: 0 });
    scene.live.script.judge.push(
      json({
        proofs: [
          { objective: 1, words: 'two days late' },
          { objective: 2, words: 'sorry' },
        ],
      }),
    );
    scene.live.script.review.push(json({ ...aReview(), languageQuality: -1 }));
    expect((await ask.practice.finish({ sessionId })).overall).toBe(50);
    const { objectives } = await ask.practice.session({ sessionId });
    expect(objectives.map(({ provedBy }) => provedBy).filter((words) => words !== null)).toEqual(['two days late']);
  });

  it('resumes at the same turn after a host restart', async () => {
    const ask = await scene.open();
    const { sessionId } = await startModelSession(ask, 'text');
    await streamReply(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'The delivery is late.', hintLevel: 0 });
    await scene.opened.host.close();
    const again = await scene.open({ dataDir: scene.opened.dataDir });
    expect(await again.practice.session({ sessionId })).toMatchObject({ phase: 'coach_turn', coachKind: 'model' });
    expect((await streamReply(again, sessionId)).session.phase).toBe('learner_turn');
  });

  it('cancels a reply upstream when the window leaves', { tags: ['slow'] }, async () => {
    const ask = await scene.open();
    const { sessionId } = await startModelSession(ask, 'text');
    scene.live.script.reply.push({ does: 'fall_silent', afterEvents: 4 });
    const leaving = new AbortController();
    const listening = (async () => {
      for await (const event of await ask.practice.streamCoachReply({ sessionId }, { signal: leaving.signal }))
        if (event.type === 'words') leaving.abort();
    })();
    await expect(listening).rejects.toThrow();
    await expect.poll(() => scene.live.fake.calls.at(-1)?.state).toBe('hung_up');
    expect((await ask.practice.session({ sessionId })).turns).toEqual([]);
  });

  it('offers hints for the next turn', async () => {
    const ask = await scene.open();
    const { sessionId } = await startModelSession(ask, 'text');
    await streamReply(ask, sessionId);
    scene.live.script.hint.push(
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
    const ask = await scene.open();
    await ask.settings.updateDevice({ ownLanguage: 'German' });
    scene.live.script.reply.push(json({ translation: 'Guten Morgen. Wo ist meine Bestellung?' }));
    expect(await ask.practice.translate({ text: 'Good morning. Where is my order?', language: 'German' })).toEqual({
      text: 'Guten Morgen. Wo ist meine Bestellung?',
    });
    expect(JSON.stringify(scene.live.fake.calls.at(-1)?.body)).toContain('German');
  });

  it('requires a server that has a coach', async () => {
    const ask = await scene.open({ serverUrl: null });
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
