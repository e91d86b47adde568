import { afterEach, describe, expect, it } from 'vitest';
import {
  anAssessment,
  aScriptedScorer,
  openHost,
  removeDataFolders,
  silence,
  somethingSaid,
} from '../test-kit/open-host.ts';
import type { OpenHost } from '../test-kit/open-host.ts';

afterEach(removeDataFolders);

const CHUNK_BYTES = 3_200;

async function say(ask: OpenHost['ask'], wish: { text: string; other?: string }, pcm = somethingSaid(1_500)) {
  const { turnId, recordingId } = await ask.drill.begin({ other: null, ...wish });
  const followed: number[] = [];
  for (let seq = 0; seq * CHUNK_BYTES < pcm.byteLength; seq += 1) {
    const chunk = new Blob([pcm.slice(seq * CHUNK_BYTES, (seq + 1) * CHUNK_BYTES)]);
    const { following } = await ask.drill.appendAudio({ turnId, seq, pcm: chunk });
    if (following !== null) followed.push(following.said);
  }
  return { turnId, recordingId, followed };
}

describe('drills', () => {
  it('are there from the first start, of every kind, each pair in both directions', async () => {
    const { ask, host } = await openHost();
    const drills = await ask.drill.list();
    expect(new Set(drills.map(({ kind }) => kind))).toEqual(new Set(['word', 'pair', 'phrase', 'sentence', 'passage']));
    for (const { text, other } of drills.filter(({ kind }) => kind === 'pair'))
      expect(drills).toContainEqual(expect.objectContaining({ text: other, other: text }));
    expect(new Set(drills.map(({ text, other }) => `${text} ${other ?? ''}`)).size).toBe(drills.length);
    await host.close();
  });

  it('follow the voice, score it, and keep the sound and the score over a restart', async () => {
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
    expect((await second.ask.recordings.read({ recordingId })).size).toBe(44 + somethingSaid(1_500).byteLength);
    await second.host.close();
  });

  it('tell which word of a pair was heard, and say so when they cannot', async () => {
    const fits = { now: [-1, -4] };
    const scorer = { ...aScriptedScorer(), rank: async () => ({ best: 0, fits: fits.now }) };
    const { ask, host } = await openHost({ scorer });
    const heard = async () => (await ask.drill.finish(await say(ask, { text: 'ship', other: 'sheep' }))).heard;
    expect(await heard()).toBe('text');
    fits.now = [-4, -1];
    expect(await heard()).toBe('other');
    fits.now = [-1, -1.2];
    expect(await heard()).toBeNull();
    await host.close();
  });

  it('put a weak word onto the list of words to train', async () => {
    const { ask, host } = await openHost();
    await ask.drill.finish(await say(ask, { text: 'strengths' }));
    const { wordsToTrain } = await ask.today.overview();
    expect(wordsToTrain.map(({ word }) => word)).toEqual(
      anAssessment('strengths').words.flatMap(({ word, accuracy }) => ((accuracy ?? 100) < 60 ? [word] : [])),
    );
    await host.close();
  });

  it('keep what was said when scoring fails, and score it when asked again', async () => {
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

  it('show why a recording could not be scored', async () => {
    const scorer = aScriptedScorer({
      assess: (text) => ({
        ...anAssessment(text),
        pron: null,
        words: [],
        unusable: { reason: 'silent', hint: 'We heard nothing.' },
      }),
    });
    const { ask, host } = await openHost({ scorer });
    const { turnId } = await say(ask, { text: 'schedule' }, silence(800));
    expect((await ask.drill.finish({ turnId })).assessment.unusable?.reason).toBe('silent');
    await expect(ask.drill.begin({ text: ' ', other: null })).rejects.toMatchObject({ code: 'request.invalid' });
    await expect(ask.drill.finish({ turnId: crypto.randomUUID() })).rejects.toMatchObject({ code: 'turn.not_found' });
    await host.close();
  });
});
