import { readFeedbackText } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import {
  aCatalogue,
  APOLOGISE,
  COMING_SOON,
  HIDDEN,
  LATE_DELIVERY,
  LATE_REPLY,
  NAME_THE_DELAY,
  SORRY_REPLY,
} from '../test-kit/test-catalogue.ts';
import { aClock, openHost, startPractice } from '../test-kit/open-host.ts';
import { readOutbox } from '../test-kit/read-database.ts';

describe('a typed practice', () => {
  it('runs from the first utterance to the result', async () => {
    const opened = await openHost();
    const { ask } = opened;
    const { sessionId, phase, turns } = await startPractice(opened.ask, 'text');
    expect(phase).toBe('learner_turn');
    expect(turns.map((turn) => turn.text)).toEqual(['Good morning, what can I do for you?']);

    const late = await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    expect(late.objectives.map((one) => one.provedBy)).toEqual(['two days late', null]);
    const answer = late.turns.find(({ role }) => role === 'learner');
    expect(late.objectives.map((one) => one.provedIn)).toEqual([answer?.turnId, null]);
    const lost = await ask.practice.sendTyped({ sessionId, text: 'bananas are yellow', hintLevel: 2 });
    expect(lost.turns.at(-2)).toMatchObject({ role: 'learner', fitted: false, hintLevel: 2, mode: 'typed' });
    expect(lost.turns.at(-1)).toMatchObject({ role: 'coach', kind: 'rephrase' });
    const ended = await ask.practice.sendTyped({
      sessionId,
      text: 'I am very sorry, we will send it again',
      hintLevel: 0,
    });
    expect(ended.phase).toBe('ended');
    await expect(ask.practice.sendTyped({ sessionId, text: 'Hello?', hintLevel: 0 })).rejects.toMatchObject({
      code: 'session.ended',
    });

    const result = await ask.practice.finish({ sessionId });
    expect(result).toMatchObject({ status: 'completed', overall: 100, session: { phase: 'scored' } });
    expect(Object.values(result.dimensions)).toEqual([null, null, null, null, null, null]);
    expect(result.feedback?.wordsToTrain).toEqual([]);
    expect(await ask.practice.finish({ sessionId })).toEqual(result);
    expect((await ask.catalogue.practices()).find((card) => card.practiceId === LATE_DELIVERY)?.bestScore).toBe(100);
    await opened.host.close();
  });

  it('has no score if it ends before the first reply', async () => {
    const opened = await openHost();
    const { sessionId } = await startPractice(opened.ask, 'text');
    const result = await opened.ask.practice.finish({ sessionId });
    expect(result).toMatchObject({
      status: 'completed',
      overall: null,
    });
    const { best, fix, nextStep } = result.feedback ?? { best: '', fix: '', nextStep: '' };
    expect([best, fix, nextStep].map((text) => readFeedbackText(text).point)).toEqual([
      { code: 'nothing_said' },
      { code: 'nothing_said' },
      { code: 'again', objectiveId: null },
    ]);
    expect(readFeedbackText(result.summary ?? '').point).toMatchObject({ code: 'session', turns: 0, pron: null });
    await opened.host.close();
  });

  it('resumes in the same state after a restart', async () => {
    const first = await openHost();
    const { sessionId } = await startPractice(first.ask, 'text');
    const before = await first.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    await first.host.close();
    const second = await openHost({ dataDir: first.dataDir });
    expect(await second.ask.practice.session({ sessionId })).toEqual(before);
    expect((await second.ask.today.overview()).unfinished?.sessionId).toBe(sessionId);
    await second.host.close();
  });

  it('keeps a draft over pauses and restarts until its turn is sent, and after the end', async () => {
    const first = await openHost();
    const { sessionId } = await startPractice(first.ask, 'text');
    await first.ask.practice.keepDraft({ sessionId, text: 'I am sor' });
    await first.ask.practice.keepDraft({ sessionId, text: 'I am sorry, ' });
    await first.ask.practice.pause({ sessionId });
    await expect(first.ask.practice.sendTyped({ sessionId, text: 'I am sorry', hintLevel: 0 })).rejects.toMatchObject({
      code: 'turn.not_ready',
    });
    await first.host.close();
    const { host, ask } = await openHost({ dataDir: first.dataDir });
    expect(await ask.practice.draft({ sessionId })).toEqual({ text: 'I am sorry, ' });
    await ask.practice.resume({ sessionId });
    await ask.practice.keepDraft({ sessionId, text: LATE_REPLY });
    await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    expect(await ask.practice.draft({ sessionId })).toEqual({ text: '' });
    await ask.practice.keepDraft({ sessionId, text: 'And th' });
    expect(await ask.practice.finish({ sessionId })).toMatchObject({ unsentText: 'And th' });
    await expect(ask.practice.keepDraft({ sessionId, text: 'And then' })).rejects.toMatchObject({
      code: 'session.already_completed',
    });
    await host.close();
  });

  it('keeps what is typed while the coach prepares the reply to the turn before', async () => {
    const { host, ask } = await openHost();
    const { sessionId } = await startPractice(ask, 'text');
    await ask.practice.keepDraft({ sessionId, text: LATE_REPLY });
    const sending = ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    await ask.practice.keepDraft({ sessionId, text: 'And then' });
    expect((await sending).turns.at(-2)?.text).toBe(LATE_REPLY);
    expect(await ask.practice.draft({ sessionId })).toEqual({ text: 'And then' });
    await host.close();
  });

  it('keeps what is typed in another window than the one that sends', async () => {
    const { host, ask } = await openHost();
    const { sessionId } = await startPractice(ask, 'text');
    await ask.practice.keepDraft({ sessionId, text: LATE_REPLY });
    await ask.practice.keepDraft({ sessionId, text: 'We are sorry' });
    await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    expect(await ask.practice.draft({ sessionId })).toEqual({ text: 'We are sorry' });
    await ask.practice.keepDraft({ sessionId, text: ' We are sorry ' });
    await ask.practice.sendTyped({ sessionId, text: 'We are sorry', hintLevel: 0 });
    expect(await ask.practice.draft({ sessionId })).toEqual({ text: '' });
    await host.close();
  });

  it('keeps the draft of a turn that the coach of a changed practice cannot take', async () => {
    const first = await openHost();
    const { sessionId } = await startPractice(first.ask, 'text');
    await first.ask.practice.keepDraft({ sessionId, text: LATE_REPLY });
    await first.host.close();
    const changedCatalogue = async (): Promise<Awaited<ReturnType<typeof aCatalogue>>> => {
      const catalogue = await aCatalogue();
      const practices = catalogue.practices.map((practice) => ({ ...practice, dialogue: null }));
      return { ...catalogue, practices };
    };
    const { host, ask } = await openHost({ dataDir: first.dataDir, loadCatalogue: changedCatalogue });
    await expect(ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 })).rejects.toMatchObject({
      code: 'practice.no_dialogue',
    });
    expect(await ask.practice.draft({ sessionId })).toEqual({ text: LATE_REPLY });
    await host.close();
  });

  it('keeps no character that a server cannot store, so that every answer reaches the other devices', async () => {
    const opened = await openHost();
    const { ask } = opened;
    const { sessionId } = await startPractice(opened.ask, 'text');
    await ask.practice.keepDraft({ sessionId, text: 'A zero\0 byte' });
    expect(await ask.practice.draft({ sessionId })).toEqual({ text: 'A zero byte' });
    const { turns } = await ask.practice.sendTyped({ sessionId, text: 'A zero\0 byte, half of \ud83d', hintLevel: 0 });
    expect(turns.at(-2)?.text).toBe('A zero byte, half of \ufffd');
    await ask.settings.updateProfile({ firstName: 'An\0na' });
    expect((await ask.settings.read()).profile.firstName).toBe('Anna');
    await ask.review.add({ word: 'sched\0ule', sentence: 'A tight sched\0ule' });
    expect(JSON.stringify(readOutbox(opened.dataDir))).not.toMatch(/\\u(?:0000|d83d)/);
    await expect(ask.practice.sendTyped({ sessionId, text: ' \0 ', hintLevel: 0 })).rejects.toMatchObject({
      code: 'request.invalid',
    });
    await opened.host.close();
  });

  it('excludes pauses from its duration', async () => {
    const clock = aClock();
    const opened = await openHost({ clock });
    const { ask } = opened;
    const { sessionId } = await startPractice(opened.ask, 'text');
    clock.pass(30_000);
    expect(await ask.practice.pause({ sessionId })).toMatchObject({ phase: 'paused', durationS: 30 });
    clock.pass(3_600_000);
    await expect(ask.practice.sendTyped({ sessionId, text: 'Hello', hintLevel: 0 })).rejects.toMatchObject({
      code: 'turn.not_ready',
    });
    expect(await ask.practice.resume({ sessionId })).toMatchObject({ phase: 'learner_turn', durationS: 30 });
    clock.pass(20_000);
    expect(await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 })).toMatchObject({
      durationS: 50,
    });
    clock.pass(10_000);
    expect((await ask.practice.finish({ sessionId })).session.durationS).toBe(60);
    await opened.host.close();
  });

  it('counts a closed laptop as minutes, not as a night', async () => {
    const clock = aClock();
    const opened = await openHost({ clock });
    const { sessionId } = await startPractice(opened.ask, 'text');
    clock.pass(9 * 3_600_000);
    expect((await opened.ask.practice.session({ sessionId })).durationS).toBe(300);
    await opened.host.close();
  });

  it('offers hints of three levels', async () => {
    const opened = await openHost();
    const { sessionId } = await startPractice(opened.ask, 'text');
    const hints = await Promise.all([1, 2, 3].map((level) => opened.ask.practice.hint({ sessionId, level })));
    expect(hints.map((one) => one.hints[0])).toEqual(['late', 'The delivery …', LATE_REPLY]);
    await opened.host.close();
  });

  it('cannot be started when the practice is hidden or coming soon', async () => {
    const { ask, host } = await openHost();
    for (const practiceId of [COMING_SOON, HIDDEN])
      await expect(
        ask.practice.start({ practiceId, difficulty: 'easy', communicationStyle: 'text' }),
      ).rejects.toMatchObject({ code: 'practice.not_found' });
    await expect(ask.catalogue.briefing({ practiceId: HIDDEN })).rejects.toMatchObject({ code: 'practice.not_found' });
    expect(await ask.catalogue.briefing({ practiceId: COMING_SOON })).toMatchObject({ card: { state: 'coming_soon' } });
    await host.close();
  });

  it('leaves a tombstone when it is discarded', async () => {
    const opened = await openHost();
    const { sessionId } = await startPractice(opened.ask, 'text');
    await opened.ask.practice.discard({ sessionId });
    await expect(opened.ask.practice.session({ sessionId })).rejects.toMatchObject({ code: 'session.not_found' });
    expect((await opened.ask.history.list({ search: '', offset: 0, limit: 10 })).total).toBe(0);
    expect(readOutbox(opened.dataDir).at(-1)).toMatchObject({
      tableName: 'practice_history',
      op: 'delete',
      fields: {},
    });
    await opened.host.close();
  });

  it('is closed after a week and scored if it has three turns', async () => {
    const clock = aClock();
    const first = await openHost({ clock });
    const long = await startPractice(first.ask, 'text');
    for (const text of [LATE_REPLY, 'bananas', SORRY_REPLY])
      await first.ask.practice.sendTyped({ sessionId: long.sessionId, text, hintLevel: 0 });
    const short = await startPractice(first.ask, 'text');
    await first.host.close();
    clock.pass(7 * 24 * 3_600_000);
    const second = await openHost({ dataDir: first.dataDir, clock });
    await second.host.whenIdle();
    expect(await second.ask.practice.result({ sessionId: long.sessionId })).toMatchObject({
      status: 'completed',
      overall: 100,
      session: { durationS: 0 },
    });
    expect(await second.ask.practice.result({ sessionId: short.sessionId })).toMatchObject({
      status: 'completed',
      overall: null,
      feedback: null,
    });
    await second.host.close();
  });
});

describe('the outbox after a practice', () => {
  it('holds each row once, with only the changed fields', async () => {
    const opened = await openHost();
    const { sessionId } = await startPractice(opened.ask, 'text');
    expect(readOutbox(opened.dataDir).map((change) => change.tableName)).toEqual([
      'practice_history',
      'user_course_interaction',
      'ai_conversations',
    ]);
    await opened.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    await opened.ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
    const updates = readOutbox(opened.dataDir).filter(
      (change) => change.tableName === 'practice_history' && !change.creates,
    );
    // Each turn is a row of its own and is sent once: the coach's first utterance and two exchanges.
    expect(updates.map((change) => Object.keys(change.fields).toSorted())).toEqual([['completedObjectives']]);
    const turns = readOutbox(opened.dataDir).filter((change) => change.tableName === 'ai_conversations');
    expect(turns.map((change) => change.creates)).toEqual([true, true, true, true, true]);
    expect(updates[0]?.fields['completedObjectives']).toMatchObject([
      { objectiveId: NAME_THE_DELAY, words: 'two days late' },
      { objectiveId: APOLOGISE, words: 'sorry' },
    ]);
    await opened.host.close();
  });
});
