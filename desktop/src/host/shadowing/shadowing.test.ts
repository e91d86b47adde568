import type { Assessment } from '@parley/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { anAssessment, aScriptedScorer, type OpenHost, openHost, voiceLikePcm } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';

const VOICE = { gender: 'female', locale: 'en-US', rate: 1, pitch: 1 } as const;
const TEXT = 'We will deliver it on Tuesday.';

let opened: OpenHost | null = null;
afterEach(async () => {
  await opened?.host.close();
  opened = null;
});

async function openWith(assess: (text: string) => Assessment = anAssessment) {
  const scorer = aScriptedScorer({ assess });
  opened = await openHost({ scorer });
  return { ...opened, scorer };
}

describe('shadowing', () => {
  it('measures the model voice like a learner, offline, and once for each text', async () => {
    const { ask, scorer } = await openWith();
    const model = await ask.shadowing.model({ text: ` ${TEXT} `, voice: VOICE });
    expect(model.words.map(({ word }) => word)).toEqual(['We', 'will', 'deliver', 'it', 'on', 'Tuesday']);
    expect(model).not.toHaveProperty('accuracy');
    await ask.shadowing.model({ text: TEXT, voice: VOICE });
    expect(scorer.assessed).toEqual([TEXT]);
    await ask.shadowing.model({ text: TEXT, voice: { ...VOICE, gender: 'male' } });
    expect(scorer.assessed).toHaveLength(2);
  });

  it('says that the model was refused, and tries a failure again', async () => {
    let failures = 0;
    const refused = { reason: 'not_the_text', hint: 'Something else was heard.' } as const;
    const { ask } = await openWith((text) => {
      failures += 1;
      if (failures === 1) throw new Error('the scorer crashed');
      return { ...anAssessment(text), words: [], unusable: refused };
    });
    await expect(ask.shadowing.model({ text: TEXT, voice: VOICE })).rejects.toMatchObject({ code: 'scoring.failed' });
    expect(await ask.shadowing.model({ text: TEXT, voice: VOICE })).toMatchObject({ unusable: refused });
  });

  it('refuses an empty text and one that is too long', async () => {
    const { ask } = await openWith();
    for (const text of ['   ', 'word '.repeat(200)])
      await expect(ask.shadowing.model({ text, voice: VOICE })).rejects.toMatchObject({ code: 'request.invalid' });
  });

  it('adds the words that were said to the attempt log as shadowing', async () => {
    const { ask, dataDir } = await openWith();
    const { turnId } = await ask.drill.begin({ text: TEXT, other: null, source: 'shadowing' });
    await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(1_500)]) });
    await ask.drill.finish({ turnId });
    const rows = inDatabase(dataDir, (sqlite) =>
      sqlite.prepare('SELECT word, source, sentence FROM word_attempts ORDER BY start_ms').all(),
    );
    expect(rows).toHaveLength(6);
    expect(rows[2]).toEqual({ word: 'deliver', source: 'shadowing', sentence: TEXT });
  });
});
