import { hasProgram, synthesise } from '@parley/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScorer, type Scorer } from '../scorer.ts';
import { parseWav } from '../wav/parse-wav.ts';

const hasVoice = hasProgram('espeak-ng');
if (!hasVoice) console.warn('skipped: synthesised speech needs espeak-ng (Debian: espeak-ng)');

const SAMPLES_PER_MS = 16;

function synthesisedPcm(text: string): Float32Array {
  const wav = parseWav(synthesise(text) ?? new Uint8Array());
  if (!wav.ok) throw new Error(wav.error.message);
  return wav.value.pcm;
}

/** The texts one after the other, with silence before, between and after them. */
function saidWithPauses(texts: readonly string[], pauseMs: number): Float32Array {
  const silence = Array.from<number>({ length: pauseMs * SAMPLES_PER_MS }).fill(0);
  return Float32Array.from([...silence, ...texts.flatMap((text) => [...synthesisedPcm(text), ...silence])]);
}

let scorer: Scorer;
beforeAll(async () => {
  scorer = await createScorer();
});
afterAll(async () => {
  await scorer.close();
});

describe.skipIf(!hasVoice)('a single word that is said more than once', () => {
  it.each(['comfortable', 'presentation', 'together'])('is scored as it was said last: %s', async (text) => {
    const once = await scorer.assess({ pcm: saidWithPauses([text], 600), text });
    const again = await scorer.assess({ pcm: saidWithPauses([text, text, text], 600), text });
    expect(again.unusable).toBeUndefined();
    expect(again.words.map(({ word, error }) => [word, error === 'Insertion'])).toEqual([
      [text, true],
      [text, true],
      [text, false],
    ]);
    expect(Math.abs((again.accuracy ?? 0) - (once.accuracy ?? 0))).toBeLessThan(15);
    expect(again).toMatchObject({ pron: again.accuracy, completeness: null, fluency: null });
    for (const [index, { startMs, endMs }] of again.words.entries()) {
      expect(startMs).toBeGreaterThan(again.words[index - 1]?.endMs ?? 0);
      expect(endMs).toBeLessThanOrEqual(again.durationMs);
    }
    expect(again.pauses).toHaveLength(2);
  });

  it('of a pair is compared as it was said last', async () => {
    const corrected = saidWithPauses(['vest', 'west'], 600);
    expect(await scorer.compare({ pcm: corrected, text: 'west', other: 'vest' })).toBe('text');
    expect(await scorer.compare({ pcm: corrected, text: 'vest', other: 'west' })).toBe('other');
    const { words } = await scorer.assess({ pcm: corrected, text: 'west', other: 'vest' });
    expect(words.map(({ word, error }) => [word, error === 'Insertion'])).toEqual([
      ['…', true],
      ['west', false],
    ]);
  });

  it('is scored as it was said last when that was quiet', async () => {
    const pcm = saidWithPauses(['presentation', 'presentation'], 600);
    const quiet = saidWithPauses(['presentation'], 600).map((sample) => sample / 20);
    const { words } = await scorer.assess({ pcm: Float32Array.from([...pcm, ...quiet]), text: 'presentation' });
    expect(words.map(({ error }) => error === 'Insertion')).toEqual([true, true, false]);
  });

  it('is still refused when other words were said', async () => {
    const assessment = await scorer.assess({
      pcm: saidWithPauses(['yesterday', 'umbrella'], 600),
      text: 'comfortable',
    });
    expect(assessment).toMatchObject({ pron: null, unusable: { reason: 'not_the_text' } });
  });
});
