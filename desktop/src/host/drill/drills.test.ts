import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anAssessment, aScriptedScorer, aWindow, openHost, silentPcm, voiceLikePcm } from '../test-kit/open-host.ts';
import type { SpeechScorer } from '../scorer/index.ts';
import type { OpenHost } from '../test-kit/open-host.ts';
import { readOutbox, readRecordingStates } from '../test-kit/read-database.ts';

const CHUNK_BYTES = 3_200;

async function say(
  ask: OpenHost['ask'],
  request: { text: string; other?: string; isOwnText?: boolean },
  pcm = voiceLikePcm(1_500),
) {
  const { turnId, recordingId } = await ask.drill.begin({ other: null, ...request });
  const followed: number[] = [];
  for (let seq = 0; seq * CHUNK_BYTES < pcm.byteLength; seq += 1) {
    const chunk = new Blob([pcm.slice(seq * CHUNK_BYTES, (seq + 1) * CHUNK_BYTES)]);
    const { progress } = await ask.drill.appendAudio({ turnId, seq, pcm: chunk });
    if (progress !== null) followed.push(progress.said);
  }
  return { turnId, recordingId, followed };
}

describe('drills', () => {
  it('of every kind are available at first start, each pair both ways', async () => {
    const { ask, host } = await openHost();
    const drills = await ask.drill.list();
    expect(new Set(drills.map(({ kind }) => kind))).toEqual(new Set(['word', 'pair', 'phrase', 'sentence', 'passage']));
    for (const { text, other } of drills.filter(({ kind }) => kind === 'pair'))
      expect(drills).toContainEqual(expect.objectContaining({ text: other, other: text }));
    expect(new Set(drills.map(({ text, other }) => `${text} ${other ?? ''}`)).size).toBe(drills.length);
    await host.close();
  });

  it('offer only the pairs that the scorer was measured with', async () => {
    const { ask, host } = await openHost();
    const file = new URL('../../../../packages/speech/models/pairs.json', import.meta.url);
    const { pairs } = JSON.parse(readFileSync(file, 'utf8')) as { pairs: { words: string[] }[] };
    const offered = (await ask.drill.list()).flatMap(({ text, other }) =>
      other !== null && text < other ? [`${text} ${other}`] : [],
    );
    expect(offered.toSorted()).toEqual(pairs.map(({ words }) => words.join(' ')).toSorted());
    await host.close();
  });

  it.each(['...', '你好吗', 'x'.repeat(150), '–'])('refuse an own text that cannot be said: %s', async (text) => {
    const { ask, host } = await openHost();
    const refused = { code: 'text.no_pronunciation' };
    await expect(ask.drill.check({ text })).rejects.toMatchObject(refused);
    await expect(ask.drill.begin({ text, other: null, isOwnText: true })).rejects.toMatchObject(refused);
    await host.close();
  });

  it.each(['Anna 你好', '“HR”', '42', 'a@b.com', 'Mirek’s xylofonic', 'hmm'])(
    'accept an own text of which something can be said: %s',
    async (text) => {
      const { ask, host } = await openHost();
      await ask.drill.check({ text });
      await ask.drill.begin({ text, other: null, isOwnText: true });
      await host.close();
    },
  );

  it('report progress, are scored, and keep audio and score after a restart', async () => {
    const first = await openHost();
    const { turnId, recordingId, followed } = await say(first.ask, { text: 'Let me check that first.' });
    expect(followed.length).toBeGreaterThan(5);
    expect(followed).toEqual(followed.toSorted((a, b) => a - b));
    const attempt = await first.ask.drill.finish({ turnId });
    expect(attempt).toMatchObject({ recordingId, heard: null, assessment: { pron: 74 } });
    expect(await first.ask.drill.finish({ turnId })).toEqual(attempt);
    await first.host.close();

    const second = await openHost({ dataDir: first.dataDir });
    expect(await second.ask.drill.attempts({ text: 'Let me check that first.' })).toEqual([attempt]);
    expect(await second.ask.drill.attempts({ text: 'something else' })).toEqual([]);
    expect((await second.ask.recordings.read({ recordingId })).size).toBe(44 + voiceLikePcm(1_500).byteLength);
    await second.host.close();
  });

  it('keep the learner’s own text and its words out of sync', async () => {
    const { ask, host, dataDir } = await openHost();
    for (const isOwnText of [true, false]) {
      const text = isOwnText ? 'My merger plan.' : 'A known sentence.';
      const { turnId } = await say(ask, { text, isOwnText });
      await ask.drill.finish({ turnId });
    }
    await host.close();
    const logged = readOutbox(dataDir).filter(({ tableName }) => tableName === 'word_attempts');
    expect(logged.map(({ fields }) => [fields?.['word'], fields?.['sentence'] ?? null])).toEqual([
      ['my', null],
      ['merger', null],
      ['plan', null],
      ['a', 'A known sentence.'],
      ['known', 'A known sentence.'],
      ['sentence', 'A known sentence.'],
    ]);
    expect(JSON.stringify(readOutbox(dataDir))).not.toContain('My merger plan');
  });

  it('report which word of a pair was recognised, or that it is unclear', async () => {
    const heardInOrder = ['text', 'other', null] as const;
    let drills = 0;
    const compared: unknown[] = [];
    const scripted = aScriptedScorer();
    const others: (string | undefined)[] = [];
    const scorer: SpeechScorer = {
      ...scripted,
      assess: (speech) => {
        others.push(speech.other);
        return scripted.assess(speech);
      },
      compare: async ({ text, other }) => {
        compared.push({ text, other });
        return heardInOrder[drills++] ?? null;
      },
    };
    const { ask, host } = await openHost({ scorer });
    const heard = async () => (await ask.drill.finish(await say(ask, { text: 'ship', other: 'sheep' }))).heard;
    for (const expected of heardInOrder) expect(await heard()).toBe(expected);
    expect(compared).toEqual(heardInOrder.map(() => ({ text: 'ship', other: 'sheep' })));
    // The other word is a mistake to be scored, not a reason to refuse the recording.
    expect(others).toEqual(heardInOrder.map(() => 'sheep'));
    expect((await ask.drill.finish(await say(ask, { text: 'ship' }))).heard).toBeNull();
    expect(compared).toHaveLength(heardInOrder.length);
    await host.close();
  });

  it('add a weak word to the words to train', async () => {
    const { ask, host } = await openHost();
    await ask.drill.finish(await say(ask, { text: 'strengths' }));
    const { wordsToTrain } = await ask.today.overview();
    expect(wordsToTrain.map(({ word }) => word)).toEqual(
      anAssessment('strengths').words.flatMap(({ word, accuracy }) => ((accuracy ?? 100) < 60 ? [word] : [])),
    );
    await host.close();
  });

  it('keep the recording when scoring fails and score it on retry', async () => {
    let fails = true;
    const scorer = aScriptedScorer({
      assess: (text) => {
        if (fails) throw new Error('no model');
        return anAssessment(text);
      },
    });
    const { ask, host } = await openHost({ scorer });
    const { turnId } = await say(ask, { text: 'schedule' });
    await expect(ask.drill.finish({ turnId })).rejects.toMatchObject({ code: 'scoring.failed' });
    expect(await ask.drill.attempts({ text: 'schedule' })).toEqual([]);
    fails = false;
    expect((await ask.drill.finish({ turnId })).assessment.pron).toBe(74);
    await host.close();
  });

  it('explain why a recording could not be scored', async () => {
    const scorer = aScriptedScorer({
      assess: (text) => ({
        ...anAssessment(text),
        pron: null,
        words: [],
        unusable: { reason: 'silent', hint: 'We heard nothing.' },
      }),
    });
    const { ask, host } = await openHost({ scorer });
    const { turnId } = await say(ask, { text: 'schedule' }, silentPcm(800));
    expect((await ask.drill.finish({ turnId })).assessment.unusable?.reason).toBe('silent');
    await expect(ask.drill.begin({ text: ' ', other: null })).rejects.toMatchObject({ code: 'request.invalid' });
    await expect(ask.drill.finish({ turnId: crypto.randomUUID() })).rejects.toMatchObject({ code: 'turn.not_found' });
    await host.close();
  });

  it('end when their window closes, and can be scored if it comes back', async () => {
    const scripted = aScriptedScorer();
    let openCount = 0;
    const scorer: SpeechScorer = {
      ...scripted,
      startRecognition: (texts) => {
        openCount += 1;
        return { ...scripted.startRecognition(texts), close: () => void (openCount -= 1) };
      },
    };
    const { ask, host, dataDir } = await openHost({ scorer });
    const window = aWindow(host);
    const { turnId, recordingId } = await say(window.ask, { text: 'schedule' });
    expect([openCount, readRecordingStates(dataDir)]).toEqual([1, ['recording']]);
    window.close();
    expect([openCount, readRecordingStates(dataDir)]).toEqual([0, ['waiting']]);
    expect((await ask.recordings.read({ recordingId })).size).toBe(44 + voiceLikePcm(1_500).byteLength);
    expect((await ask.drill.finish({ turnId })).assessment.pron).toBe(74);
    await host.close();
  });

  it('leave no recording that was replaced before it was scored', async () => {
    const first = await openHost();
    await say(first.ask, { text: 'Let me check that first.' });
    const { turnId, recordingId } = await say(first.ask, { text: 'Let me check that first.' });
    await first.ask.drill.finish({ turnId });
    expect(readRecordingStates(first.dataDir)).toEqual(['set_aside', 'sent']);
    await first.host.close();
    const again = await openHost({ dataDir: first.dataDir });
    expect(readRecordingStates(again.dataDir)).toEqual(['sent']);
    expect(readdirSync(join(again.dataDir, 'recordings'))).toEqual([`${recordingId}.wav`]);
    await again.host.close();
  });

  it('are not disturbed by another window that closes, nor after their end', async () => {
    const { ask, host, dataDir } = await openHost();
    const [first, second] = [aWindow(host), aWindow(host)];
    await say(first.ask, { text: 'schedule' });
    const { turnId } = await say(second.ask, { text: 'schedule' });
    first.close();
    expect(readRecordingStates(dataDir)).toEqual(['set_aside', 'recording']);
    await second.ask.drill.finish({ turnId });
    second.close();
    expect(readRecordingStates(dataDir)).toEqual(['set_aside', 'sent']);
    expect(await ask.drill.attempts({ text: 'schedule' })).toHaveLength(1);
    await host.close();
  });
});
