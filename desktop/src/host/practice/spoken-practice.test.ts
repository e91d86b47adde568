import { parseWav } from '@parley/speech';
import { MAX_CHUNK_BYTES } from '@parley/contract';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LATE_REPLY, SORRY_REPLY } from '../test-kit/test-catalogue.ts';
import {
  aClock,
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  openHost,
  recordTurn,
  silentPcm,
  voiceLikePcm,
  sendRecordedTurn,
  startPractice,
} from '../test-kit/open-host.ts';
import { readOutbox } from '../test-kit/read-database.ts';

const startSpoken = async ({ ask }: OpenHost) => (await startPractice(ask, 'audio')).sessionId;

const draftOf = (...words: string[]) =>
  words.map((word) => ({ word, startMs: 0, endMs: 0, confidence: 0.9, alternatives: [] }));

const wavFiles = (dataDir: string): string[] => readdirSync(join(dataDir, 'recordings'));

describe('a spoken practice', () => {
  it('is assessed, sent and scored, and keeps its audio', async () => {
    const opened = await openHost({
      scorer: aScriptedScorer({ assess: (text) => anAssessment(text, (word) => (word === 'delivery' ? 40 : 90)) }),
    });
    const { ask } = opened;
    const sessionId = await startSpoken(opened);
    const pcm = voiceLikePcm(2_300);
    const { turnId, recordingId } = await recordTurn(ask, sessionId, pcm);
    const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 1 });
    expect(heard).toMatchObject({ status: 'heard', text: LATE_REPLY, turnId, recordingId });
    expect((await ask.practice.session({ sessionId })).waitingTurn).toEqual(heard);

    const sent = await ask.practice.sendTurn({ sessionId, turnId });
    expect(sent).toMatchObject({ phase: 'learner_turn', waitingTurn: null });
    expect(sent.turns.at(-2)).toMatchObject({
      role: 'learner',
      mode: 'voice',
      recordingId,
      hintLevel: 1,
      fitted: true,
    });
    await expect(ask.practice.sendTurn({ sessionId, turnId })).rejects.toMatchObject({ code: 'turn.not_found' });

    const wav = await ask.recordings.read({ recordingId });
    const bytes = new Uint8Array(await wav.arrayBuffer());
    expect(bytes.slice(44)).toEqual(pcm);
    expect(parseWav(bytes)).toMatchObject({ ok: true, value: { sampleRateHz: 16_000, channels: 1, truncated: false } });

    const second = await recordTurn(ask, sessionId);
    await ask.practice.finishTurn({ sessionId, turnId: second.turnId, hintLevel: 0 });
    expect((await ask.practice.sendTurn({ sessionId, turnId: second.turnId })).phase).toBe('ended');
    const result = await ask.practice.finish({ sessionId });
    expect(result).toMatchObject({
      status: 'completed',
      dimensions: { accuracy: 80, fluency: 70, prosody: 60, completeness: 100, pron: 74 },
      overall: 81.8,
    });
    expect((await ask.today.overview()).wordsToTrain).toEqual([
      { word: 'delivery', ipa: 'l', accuracy: 40, worstPhonemes: ['l'] },
    ]);
    const tables = readOutbox(opened.dataDir).map((change) => change.tableName);
    expect(tables).toEqual(expect.arrayContaining(['feedback_details', 'pronunciation_improvement_summary']));
    await opened.host.close();
  });

  it('puts its wrong words on the list, in one order on Today, in the result and in the review', async () => {
    const accuracies: Record<string, number> = { delivery: 40, delay: 20, late: 30 };
    const opened = await openHost({
      scorer: aScriptedScorer({ assess: (text) => anAssessment(text, (word) => accuracies[word] ?? 90) }),
    });
    const { ask } = opened;
    const sessionId = await startSpoken(opened);
    await sendRecordedTurn(ask, sessionId);
    await ask.practice.finish({ sessionId });
    const wordsOfSession = async () => (await ask.review.ofSession({ sessionId })).words.map(({ word }) => word);
    const wordsOfToday = async () => (await ask.today.overview()).wordsToTrain.map(({ word }) => word);
    const wrong = Object.keys(accuracies)
      .filter((word) => LATE_REPLY.toLowerCase().includes(word))
      .toSorted((a, b) => (accuracies[a] ?? 0) - (accuracies[b] ?? 0));
    expect(wrong.length).toBeGreaterThan(1);
    expect(await wordsOfSession()).toEqual(wrong);
    expect(await wordsOfToday()).toEqual(wrong);
    expect((await ask.review.due()).cards.map(({ word }) => word)).toEqual(wrong);

    const [worst = ''] = wrong;
    await ask.review.mark({ word: worst, as: 'learned' });
    expect(await wordsOfToday()).toEqual(wrong.slice(1));
    expect((await ask.review.ofSession({ sessionId })).words.find(({ word }) => word === worst)?.status).toBe(
      'learned',
    );
    await ask.review.mark({ word: worst, as: 'removed' });
    expect(await wordsOfSession()).toEqual(wrong.slice(1));
    await opened.host.close();
  });

  it('asks for the text of an unrecognised reply and accepts the answer', async () => {
    const scorer = aScriptedScorer({ best: () => null });
    const opened = await openHost({ scorer });
    const { ask } = opened;
    const sessionId = await startSpoken(opened);
    const { turnId } = await recordTurn(ask, sessionId);
    const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(heard).toMatchObject({ status: 'not_recognised', candidates: [LATE_REPLY, expect.any(String)] });
    await expect(ask.practice.sendTurn({ sessionId, turnId })).rejects.toMatchObject({ code: 'turn.not_ready' });
    const named = await ask.practice.correctTranscript({ sessionId, turnId, text: 'The parcel is two days late.' });
    expect(named).toMatchObject({ status: 'heard', text: 'The parcel is two days late.' });
    expect(scorer.assessed).toEqual(['The parcel is two days late.']);
    const sent = await ask.practice.sendTurn({ sessionId, turnId });
    expect(sent.objectives[0]?.provedBy).toBe('two days late');
    await opened.host.close();
  });

  it('keeps a typed draft over a spoken turn', async () => {
    const opened = await openHost({ scorer: aScriptedScorer() });
    const { ask } = opened;
    const sessionId = await startSpoken(opened);
    await ask.practice.keepDraft({ sessionId, text: 'We will send' });
    const { turnId } = await recordTurn(ask, sessionId);
    await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    await ask.practice.sendTurn({ sessionId, turnId });
    expect(await ask.practice.draft({ sessionId })).toEqual({ text: 'We will send' });
    await opened.host.close();
  });

  it('drops a draft that becomes the text of a recording, even if a word is corrected later', async () => {
    const opened = await openHost({ scorer: aScriptedScorer({ best: () => null }) });
    const { ask } = opened;
    const sessionId = await startSpoken(opened);
    const { turnId } = await recordTurn(ask, sessionId);
    await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    await ask.practice.keepDraft({ sessionId, text: 'The parcel is late. ' });
    await ask.practice.correctTranscript({ sessionId, turnId, text: 'The parcel is late.' });
    expect(await ask.practice.draft({ sessionId })).toEqual({ text: '' });
    await ask.practice.correctTranscript({ sessionId, turnId, text: LATE_REPLY });
    await ask.practice.sendTurn({ sessionId, turnId });
    expect(await ask.practice.draft({ sessionId })).toEqual({ text: '' });
    await opened.host.close();
  });

  it('drafts an unrecognised answer, and lets one word be corrected', async () => {
    const drafted = { words: draftOf('i', 'lost', 'the', 'muffle'), fit: -0.4 };
    const opened = await openHost({ scorer: aScriptedScorer({ best: () => null, drafted: () => drafted }) });
    const { ask } = opened;
    const sessionId = await startSpoken(opened);
    const { turnId } = await recordTurn(ask, sessionId);
    const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(heard).toMatchObject({ status: 'heard', text: 'I lost the muffle' });
    const corrected = await ask.practice.correctTranscript({ sessionId, turnId, text: 'I lost the muffler' });
    expect(corrected).toMatchObject({ words: [{ word: 'I', confidence: 0.9 }, {}, {}, { confidence: 1 }] });
    await ask.practice.sendTurn({ sessionId, turnId });
    const { turns } = await ask.practice.session({ sessionId });
    expect(turns.find((turn) => turn.turnId === turnId)).toMatchObject({ text: 'I lost the muffler' });
    await opened.host.close();
  });

  it.each([
    ['its words are unsure', { words: draftOf('mumble').map((word) => ({ ...word, confidence: 0.4 })), fit: -0.2 }],
    ['it hardly fits the recording', { words: draftOf('mumble'), fit: -1.5 }],
    ['nothing was understood', { words: [], fit: null }],
  ])('asks for the text instead of a draft when %s', async (_reason, drafted) => {
    const opened = await openHost({ scorer: aScriptedScorer({ best: () => null, drafted: () => drafted }) });
    const sessionId = await startSpoken(opened);
    const { turnId } = await recordTurn(opened.ask, sessionId);
    const heard = await opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(heard).toMatchObject({ status: 'not_recognised', candidates: [LATE_REPLY, expect.any(String)] });
    await opened.host.close();
  });

  it('explains why silence cannot be scored, and keeps it', async () => {
    const opened = await openHost();
    const { ask } = opened;
    const sessionId = await startSpoken(opened);
    const { turnId, recordingId } = await recordTurn(ask, sessionId, silentPcm(1_000));
    const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(heard).toMatchObject({ status: 'unusable', reason: 'silent' });
    const { unsent } = await ask.practice.finish({ sessionId });
    expect(unsent).toMatchObject([{ status: 'unusable', reason: 'silent', recordingId }]);
    expect((await ask.recordings.read({ recordingId })).size).toBe(44 + 32_000);
    await opened.host.close();
  });

  it('keeps a repeated recording only until the session ends', async () => {
    const opened = await openHost();
    const { ask, dataDir } = opened;
    const sessionId = await startSpoken(opened);
    const first = await recordTurn(ask, sessionId);
    await ask.practice.finishTurn({ sessionId, turnId: first.turnId, hintLevel: 0 });
    const second = await recordTurn(ask, sessionId);
    await ask.practice.finishTurn({ sessionId, turnId: second.turnId, hintLevel: 0 });
    await ask.practice.sendTurn({ sessionId, turnId: second.turnId });
    expect(wavFiles(dataDir)).toHaveLength(2);
    await ask.practice.finish({ sessionId });
    expect(wavFiles(dataDir)).toEqual([`${second.recordingId}.wav`]);
    await expect(ask.recordings.read({ recordingId: first.recordingId })).rejects.toMatchObject({
      code: 'recording.not_found',
    });
    rmSync(join(dataDir, 'recordings', `${second.recordingId}.wav`));
    await expect(ask.recordings.read({ recordingId: second.recordingId })).rejects.toMatchObject({
      code: 'recording.file_missing',
    });
    await opened.host.close();
  });
});

describe('streamed audio', () => {
  it('accepts a repeated chunk but no gap, oversized or partial sample', async () => {
    const opened = await openHost();
    const { ask } = opened;
    const sessionId = await startSpoken(opened);
    const { turnId, recordingId } = await ask.practice.beginTurn({ sessionId });
    const chunk = new Blob([voiceLikePcm(200)]);
    const append = (seq: number, pcm: Blob = chunk) => ask.practice.appendAudio({ sessionId, turnId, seq, pcm });
    expect(await append(0)).toMatchObject({ nextSeq: 1 });
    expect(await append(0)).toMatchObject({ nextSeq: 1 });
    await expect(append(2)).rejects.toMatchObject({ code: 'audio.gap', data: { detail: '1' } });
    await expect(append(1, new Blob([new Uint8Array(3)]))).rejects.toMatchObject({ code: 'audio.invalid' });
    await expect(append(1, new Blob([new Uint8Array(MAX_CHUNK_BYTES + 2)]))).rejects.toMatchObject({
      code: 'request.too_large',
    });
    await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    await expect(append(1)).rejects.toMatchObject({ code: 'turn.not_ready' });
    expect((await ask.recordings.read({ recordingId })).size).toBe(44 + 6_400);
    await opened.host.close();
  });

  it('ends after three minutes and keeps everything said', async () => {
    const opened = await openHost();
    const { ask } = opened;
    const sessionId = await startSpoken(opened);
    const { turnId, recordingId } = await ask.practice.beginTurn({ sessionId });
    const second = new Blob([voiceLikePcm(1_000)]);
    for (let seq = 0; seq < 180; seq += 1) await ask.practice.appendAudio({ sessionId, turnId, seq, pcm: second });
    await expect(ask.practice.appendAudio({ sessionId, turnId, seq: 180, pcm: second })).rejects.toMatchObject({
      code: 'turn.too_long',
    });
    await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect((await ask.recordings.read({ recordingId })).size).toBe(44 + 180 * 32_000);
    await opened.host.close();
  });
});

describe('a failing scorer', () => {
  const broken = () => {
    const state = { fails: true };
    const scorer = aScriptedScorer({
      assess: (text) => {
        if (state.fails) throw new Error('the model is gone');
        return anAssessment(text);
      },
    });
    return { state, scorer };
  };

  async function aSessionWithoutScores(clock = aClock()) {
    const { state, scorer } = broken();
    const opened = await openHost({ scorer, clock });
    const { ask } = opened;
    const sessionId = await startSpoken(opened);
    const { turnId, recordingId } = await recordTurn(ask, sessionId);
    const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(heard).toMatchObject({ status: 'not_scored', candidates: [LATE_REPLY, expect.any(String)] });
    const sent = await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    expect(sent.turns.at(-2)).toMatchObject({ turnId, mode: 'voice', recordingId, assessment: null });
    return { state, opened, sessionId };
  }

  it('is retried for a day, then reported; a later retry still succeeds', async () => {
    const clock = aClock();
    const { state, opened, sessionId } = await aSessionWithoutScores(clock);
    const { ask, dataDir } = opened;
    expect(await ask.practice.finish({ sessionId })).toMatchObject({
      status: 'in_progress',
      overall: null,
      session: { phase: 'scoring' },
    });
    const listed = await ask.history.list({ search: '', offset: 0, limit: 1 });
    expect(listed.items).toMatchObject([{ sessionId, status: 'in_progress', isBeingScored: true }]);
    await expect(ask.practice.beginTurn({ sessionId })).rejects.toMatchObject({ code: 'session.ended' });
    await opened.host.close();
    for (let hour = 0; hour < 26; hour += 1) {
      clock.pass(3_600_000);
      const again = await openHost({ dataDir, clock, scorer: broken().scorer });
      await again.host.whenIdle();
      await again.host.close();
    }
    const last = await openHost({ dataDir, clock, scorer: aScriptedScorer() });
    expect(await last.ask.practice.result({ sessionId })).toMatchObject({ status: 'failed_to_generate_score' });
    expect((await last.ask.practice.session({ sessionId })).phase).toBe('scoring_failed');
    const [given] = (await last.ask.history.list({ search: '', offset: 0, limit: 1 })).items;
    expect(given?.isBeingScored).toBe(false);
    expect(await last.ask.practice.finish({ sessionId })).toMatchObject({
      status: 'completed',
      dimensions: { pron: 74 },
    });
    expect(state.fails).toBe(true);
    await last.host.close();
  });

  it('is retried although the clock was a year ahead when it failed', async () => {
    const clock = aClock();
    clock.pass(365 * 24 * 3_600_000);
    const { opened, sessionId } = await aSessionWithoutScores(clock);
    expect((await opened.ask.practice.finish({ sessionId })).session.phase).toBe('scoring');
    await opened.host.close();
    clock.pass(-365 * 24 * 3_600_000);
    const next = await openHost({ dataDir: opened.dataDir, clock, scorer: aScriptedScorer() });
    await next.host.whenIdle();
    expect(await next.ask.practice.result({ sessionId })).toMatchObject({ status: 'completed' });
    await next.host.close();
  });

  it('gives up on one answer, so that the others keep their scores', async () => {
    const clock = aClock();
    const scorer = aScriptedScorer({
      assess: (text) => {
        if (text === LATE_REPLY) throw new Error('an odd word');
        return anAssessment(text);
      },
    });
    const opened = await openHost({ clock, scorer });
    const { ask, dataDir } = opened;
    const sessionId = await startSpoken(opened);
    const failing = await recordTurn(ask, sessionId);
    await ask.practice.finishTurn({ sessionId, turnId: failing.turnId, hintLevel: 0 });
    await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    const scored = await recordTurn(ask, sessionId);
    await ask.practice.finishTurn({ sessionId, turnId: scored.turnId, hintLevel: 0 });
    await ask.practice.correctTranscript({ sessionId, turnId: scored.turnId, text: SORRY_REPLY });
    await ask.practice.sendTurn({ sessionId, turnId: scored.turnId });
    expect((await ask.practice.finish({ sessionId })).session.phase).toBe('scoring');
    await opened.host.close();
    for (let hour = 0; hour < 26; hour += 1) {
      clock.pass(3_600_000);
      const again = await openHost({ dataDir, clock, scorer });
      await again.host.whenIdle();
      await again.host.close();
    }
    const last = await openHost({ dataDir, clock, scorer });
    const result = await last.ask.practice.result({ sessionId });
    expect(result).toMatchObject({ status: 'completed', dimensions: { pron: 74 } });
    expect(
      result.session.turns.flatMap((turn) => (turn.role === 'learner' ? [turn.assessment?.pron ?? null] : [])),
    ).toEqual([null, 74]);
    await last.host.close();
  });

  it('may recover before the session ends', async () => {
    const { state, opened, sessionId } = await aSessionWithoutScores();
    state.fails = false;
    await opened.ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
    const result = await opened.ask.practice.finish({ sessionId });
    expect(result).toMatchObject({ status: 'completed', dimensions: { pron: 74 } });
    expect(
      result.session.turns.filter((turn) => turn.role === 'learner').map((turn) => turn.assessment !== null),
    ).toEqual([true, false]);
    await opened.host.close();
  });
});

describe('an interrupted recording', () => {
  it('waits to be sent after the next start', async () => {
    const first = await openHost();
    const sessionId = await startSpoken(first);
    const { turnId } = await recordTurn(first.ask, sessionId);
    await first.host.close();
    const second = await openHost({ dataDir: first.dataDir });
    expect((await second.ask.practice.session({ sessionId })).waitingTurn).toMatchObject({
      status: 'heard',
      turnId,
      text: LATE_REPLY,
    });
    expect((await second.ask.practice.sendTurn({ sessionId, turnId })).turns).toHaveLength(3);
    await second.host.close();
  });
});
