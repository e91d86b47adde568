import { createScorer, parseWav, type Scorer } from '@parley/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LATE_REPLY, SORRY_REPLY } from '../test-kit/test-catalogue.ts';
import { type OpenHost, openHost, recordTurn, startPractice } from '../test-kit/open-host.ts';
import { createSpeechCache } from './speech-cache.ts';

const female = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 } as const;
const male = { gender: 'male', locale: 'en-US', rate: 1, pitch: 1 } as const;

let opened: OpenHost;
let scorer: Scorer;
beforeAll(async () => {
  scorer = await createScorer();
  opened = await openHost({
    scorer: {
      name: 'real',
      assess: scorer.assess,
      compare: scorer.compare,
      rank: scorer.rank,
      startRecognition: scorer.startRecognition,
      transcribe: scorer.transcribe,
      close: scorer.close,
    },
  });
});
afterAll(() => opened.host.close());

const speak = async (text: string, options: { voice?: typeof female | typeof male; rate?: number } = {}) => {
  const wav = await opened.ask.voice.speak({ text, voice: options.voice ?? female, rate: options.rate ?? 1 });
  return new Uint8Array(await wav.arrayBuffer());
};

const samples = (wav: Uint8Array): Float32Array => {
  const parsed = parseWav(wav);
  if (!parsed.ok) throw new Error(parsed.error.code);
  return parsed.value.pcm;
};

describe('the bundled voice', () => {
  it.each([
    ['a woman', female],
    ['a man', male],
  ])('of %s is recognised by the scorer', async (_, voice) => {
    const texts = [LATE_REPLY, SORRY_REPLY, 'You can have your money back.'];
    for (const [index, text] of texts.entries()) {
      const pcm = samples(await speak(text, { voice }));
      expect((await scorer.rank({ pcm, texts })).best).toBe(index);
    }
  });

  it('speaks slower and faster on request', async () => {
    const [slow, fast] = await Promise.all([speak(LATE_REPLY, { rate: 0.6 }), speak(LATE_REPLY, { rate: 1.5 })]);
    expect(slow.byteLength / fast.byteLength).toBeGreaterThan(2);
  });

  it.each([
    'Please write to sam@green.com today.',
    'We drove at 120 km/h on 30 Nov in the rain.',
    'We need 2½ cups of flour and 3,5 kg of sugar.',
    'It was 25°C on the 4th-floor at 10:30 a.m. yesterday.',
  ])('says what the scorer expects: %s', async (text) => {
    const pcm = samples(await speak(text, { voice: male }));
    const { words, unusable } = await scorer.assess({ pcm, text });
    expect(unusable).toBeUndefined();
    expect(words.filter(({ error }) => error === 'Omission' || error === 'Insertion')).toEqual([]);
    for (const { word, accuracy } of words) expect([word, (accuracy ?? 0) > 60]).toEqual([word, true]);
  });

  it('handles text that it cannot pronounce', async () => {
    await expect(speak('“…” — £5 for naïve 日本 people’s café?')).resolves.toBeDefined();
  });
});

describe('a practice with the real scorer', () => {
  it('recognises the reply that was said', async () => {
    const { ask } = opened;
    const { sessionId } = await startPractice(ask, 'audio');
    const { turnId } = await recordTurn(ask, sessionId, (await speak(LATE_REPLY)).slice(44));
    const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(heard).toMatchObject({ status: 'heard', text: LATE_REPLY });
    await ask.practice.sendTurn({ sessionId, turnId });
    expect((await ask.practice.finish({ sessionId })).dimensions.accuracy).toBeGreaterThan(50);
  });
});

describe('the speech cache', () => {
  it('evicts the least recently used entry above its size limit', () => {
    const spoken = createSpeechCache(20);
    const wav = new Uint8Array(8);
    spoken.set('a', wav);
    spoken.set('b', wav);
    spoken.get('a');
    spoken.set('c', wav);
    expect(['a', 'b', 'c'].map((key) => spoken.get(key) !== null)).toEqual([true, false, true]);
  });
});
