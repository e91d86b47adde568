import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpusDir, hasProgram, heldOutRecording, padWav, samplesOf, synthesise } from '@parley/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '@parley/domain';
import { createMinimalPairFinder } from './evaluate/minimal-pairs.ts';
import { createScorer, type Scorer } from './scorer.ts';
import { parseWav } from './wav/parse-wav.ts';
import { createWorkerScorer } from './worker/index.ts';

const learners = [0, 3, 7, 9].map((skip) => heldOutRecording({ words: 7, skip }));
const hasLearners = learners.every((learner) => learner !== null);
if (!hasLearners)
  console.warn(
    `skipped: real learners need ${corpusDir() === null ? 'the corpus (PARLEY_CORPUS_DIR)' : 'opusdec (Debian: opus-tools)'}`,
  );
const hasVoice = hasProgram('espeak-ng');
if (!hasVoice) console.warn('skipped: synthesised speech needs espeak-ng (Debian: espeak-ng)');

const WRONG_TEXT = 'the garden behind our house is full of yellow flowers';
const SPOKEN_TEXT = 'We will deliver the new machines on Tuesday morning.';

const pcmOf = (wav: Uint8Array): Float32Array => {
  const parsed = parseWav(wav);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value.pcm;
};
const synthesisedPcm = (text: string): Float32Array => pcmOf(synthesise(text) ?? new Uint8Array());

let scorer: Scorer;
/** One for all tests, because it loads its own copy of the model. */
let worker: Scorer;
beforeAll(async () => {
  scorer = await createScorer();
  worker = createWorkerScorer();
});
afterAll(async () => {
  await worker.close();
  await scorer.close();
});

describe.skipIf(!hasLearners)('a real learner', () => {
  const each = learners.flatMap((learner) => (learner === null ? [] : [learner]));

  it.each(each)('saying "$text" gets every dimension and every word measured', async ({ text, wav }) => {
    const assessment = await scorer.assess({ pcm: samplesOf(wav), text });
    expect(assessment.unusable).toBeUndefined();
    for (const value of [assessment.accuracy, assessment.fluency, assessment.prosody, assessment.pron])
      expect(value).toBeGreaterThan(30);
    expect(assessment.words.map(({ word }) => word)).toEqual(text.split(' '));
    let before = 0;
    for (const { startMs, endMs, phonemes } of assessment.words) {
      expect(startMs).toBeGreaterThanOrEqual(before);
      expect(endMs).toBeLessThanOrEqual(assessment.durationMs + 20);
      expect(phonemes.length).toBeGreaterThan(0);
      before = startMs;
    }
  });

  it.each(each)('saying "$text" is not matched with another text', async ({ wav }) => {
    const assessment = await scorer.assess({ pcm: samplesOf(wav), text: WRONG_TEXT });
    expect(assessment).toMatchObject({
      pron: null,
      words: [],
      unusable: { reason: expect.stringMatching(/not_the_text|too_short/) },
    });
  });

  it('is recognised among other texts', async () => {
    const texts = each.map(({ text }) => text);
    for (const [index, { wav }] of each.entries())
      expect((await scorer.rank({ pcm: samplesOf(wav), texts })).best).toBe(index);
    const [first] = each;
    expect(
      (await scorer.rank({ pcm: samplesOf(first?.wav ?? Buffer.alloc(44)), texts: [WRONG_TEXT] })).best,
    ).toBeNull();
  });

  it('who omits a word usually learns which one, and never a wrong one', { tags: ['slow'] }, async () => {
    const omissions: string[] = [];
    const recordings = Array.from({ length: 12 }, (_, skip) => heldOutRecording({ words: 8, skip }));
    for (const recording of recordings) {
      if (recording === null) continue;
      const said = recording.text.split(' ');
      const asked = [...said.slice(0, 4), 'yesterday', ...said.slice(4)].join(' ');
      const { words } = await scorer.assess({ pcm: samplesOf(recording.wav), text: asked });
      omissions.push(...words.filter(({ error }) => error === 'Omission').map(({ word }) => word));
    }
    expect(omissions.filter((word) => word !== 'yesterday')).toEqual([]);
    expect(omissions.length).toBeGreaterThanOrEqual(8);
  });

  it.each(each)('pausing before "$text" gets the same score', async ({ text, wav }) => {
    const plain = await scorer.assess({ pcm: samplesOf(wav), text });
    const padded = await scorer.assess({ pcm: samplesOf(padWav(wav, { beforeMs: 500, afterMs: 500 })), text });
    expect(Math.abs((padded.pron ?? 0) - (plain.pron ?? 0))).toBeLessThan(5);
    expect(Math.abs((padded.words[0]?.startMs ?? 0) - (plain.words[0]?.startMs ?? 0) - 500)).toBeLessThan(80);
  });
});

describe.skipIf(!hasVoice)('a clear voice', () => {
  it('gets each word at its position, with and without a worker thread', async () => {
    const pcm = synthesisedPcm(SPOKEN_TEXT);
    const here = await scorer.assess({ pcm, text: SPOKEN_TEXT });
    expect(here.completeness).toBe(100);
    expect(await worker.assess({ pcm, text: SPOKEN_TEXT })).toEqual(here);
  });

  it('gets null for dimensions that cannot be measured', async () => {
    const one = await scorer.assess({ pcm: synthesisedPcm('Tuesday'), text: 'Tuesday' });
    expect(one).toMatchObject({ fluency: null, prosody: null });
    expect(one.accuracy).not.toBeNull();
    const foreign = await scorer.assess({ pcm: synthesisedPcm(SPOKEN_TEXT), text: '你好' });
    expect(foreign).toMatchObject({ accuracy: null, pron: null, words: [{ word: '你好', accuracy: null }] });
    const mixed = await scorer.assess({ pcm: synthesisedPcm('on Tuesday morning'), text: 'on 你好 Tuesday morning' });
    expect(mixed.words.map(({ accuracy }) => accuracy === null)).toEqual([false, true, false, false]);
  });
});

describe.skipIf(!hasVoice)('a written form', () => {
  it.each([
    ['Please write to sam@green.com today.', 'Please write to sam at green dot com today.'],
    ['We drove at 120 km/h all day.', 'We drove at one hundred twenty kilometers per hour all day.'],
  ])('is scored as it is said: %s', async (text, said) => {
    const { words } = await scorer.assess({ pcm: synthesisedPcm(said), text });
    for (const { word, accuracy, error } of words) {
      expect([word, error]).toEqual([word, 'None']);
      expect(accuracy).toBeGreaterThan(80);
    }
  });
});

describe.skipIf(!hasVoice)('a number', () => {
  it.each([
    ['It costs 40 dollars.', '40', 'It costs forty dollars.', 'It costs fourteen dollars.'],
    ['The price is £2.50 today.', '£2.50', 'The price is two fifty today.', 'The price is two fifteen today.'],
    ['Room 417 is free.', '417', 'Room four seventeen is free.', 'Room five seventeen is free.'],
    ['Flight BA204 is late.', 'BA204', 'Flight b a two oh four is late.', 'Flight b a two forty is late.'],
    ['Room 204 is free.', '204', 'Room two oh four is free.', 'Room two four is free.'],
    ['Room 20 is free.', '20', 'Room twenty is free.', 'Room twenty four is free.'],
    ['Bus 7 is here.', '7', 'Bus seven, um, is here.', 'Bus seven four is here.'],
    ['We need thirteen people.', 'thirteen', 'We need thirteen people.', 'We need thirty people.'],
  ])('of “%s” is wrong if %s is said as another', async (text, number, right, wrong) => {
    const wordOf = async (said: string) =>
      (await scorer.assess({ pcm: synthesisedPcm(said), text })).words.find(({ word }) => word === number);
    expect((await wordOf(right))?.accuracy).toBeGreaterThan(80);
    expect(await wordOf(wrong)).toMatchObject({ error: 'Mispronunciation' });
  });
});

describe.skipIf(!hasVoice)('a sentence', () => {
  it.each([
    ['It costs 40 dollars.', 'It costs forty dollars.', 'It costs fourteen dollars.', 5],
    ['I paid 150.', 'I paid one fifty.', 'I paid one fifteen.', 10],
  ])('“%s” loses accuracy for a wrong number', async (text, right, wrong, points) => {
    const [said, mistaken] = await Promise.all(
      [right, wrong].map((words) => scorer.assess({ pcm: synthesisedPcm(words), text })),
    );
    expect(mistaken?.accuracy).toBeLessThan((said?.accuracy ?? 0) - points);
    expect(mistaken?.pron).toBeLessThan((said?.pron ?? 0) - points / 2.5);
  });
});

it.skipIf(!hasProgram('flite'))('“fifty” is not taken for “fifteen” in another voice', async () => {
  const path = join(tmpdir(), 'fifty-cents.wav');
  execFileSync('flite', ['-voice', 'kal16', '-t', 'The fee is fifty cents each.', '-o', path]);
  const { words } = await scorer.assess({ pcm: pcmOf(readFileSync(path)), text: 'The fee is $0.50 each.' });
  expect(words.find(({ word }) => word === '$0.50')?.accuracy).toBeGreaterThan(70);
});

describe.skipIf(!hasLearners)('a word with one wrong sound in a sentence', () => {
  const recordings = Array.from({ length: 12 }, (_, skip) => heldOutRecording({ words: 6, skip: 2 * skip }));

  it('mostly lowers the score of that sound by 20 points, and is scored', async () => {
    const partnerOf = await createMinimalPairFinder();
    const falls: number[] = [];
    for (const recording of recordings.flatMap((each) => (each === null ? [] : [each]))) {
      const words = recording.text.toLowerCase().split(' ');
      const at = words.findIndex((word) => word.length > 2 && partnerOf(word) !== null);
      const partner = partnerOf(words[at] ?? '');
      if (partner === null) continue;
      const pcm = samplesOf(recording.wav);
      const right = await scorer.assess({ pcm, text: words.join(' ') });
      const wrong = await scorer.assess({ pcm, text: words.with(at, partner.word).join(' ') });
      expect(wrong.unusable).toBeUndefined();
      const soundOf = ({ words: scored }: Assessment): number | null | undefined =>
        scored.filter(({ error }) => error !== 'Insertion')[at]?.phonemes[partner.phone]?.accuracy;
      falls.push((soundOf(right) ?? 0) - (soundOf(wrong) ?? 0));
    }
    expect(falls.length).toBeGreaterThan(6);
    expect(falls.filter((fall) => fall >= 20).length).toBeGreaterThan(falls.length / 2);
  });
});

describe.skipIf(!hasVoice)('a single word', () => {
  it.each([
    ['value', 'walue'],
    ['month', 'munt'],
  ])('%s said as "%s" is scored low instead of being refused', async (text, said) => {
    const right = await scorer.assess({ pcm: synthesisedPcm(text), text });
    const wrong = await scorer.assess({ pcm: synthesisedPcm(said), text });
    expect(wrong.unusable).toBeUndefined();
    expect(wrong.pron ?? 100).toBeLessThan((right.pron ?? 0) - 10);
    expect(wrong).toMatchObject({ completeness: null, pron: wrong.accuracy });
    const [word] = wrong.words;
    expect(wrong.accuracy).toBe(word?.accuracy);
  });

  it('of a pair is distinguished from the other, which scores low', async () => {
    for (const [text, other] of [
      ['wine', 'vine'],
      ['west', 'vest'],
      ['watch', 'wash'],
    ] as const) {
      expect(await scorer.compare({ pcm: synthesisedPcm(text), text, other })).toBe('text');
      expect(await scorer.compare({ pcm: synthesisedPcm(text), text: other, other: text })).toBe('other');
      const mistaken = await scorer.assess({ pcm: synthesisedPcm(text), text: other, other: text });
      expect(mistaken.unusable).toBeUndefined();
    }
  });

  it.each(['Ah.', 'Uh-huh.', 'Room.'])('that hardly changes or fits badly is not refused: %s', async (text) => {
    const wav = padWav(synthesise(text) ?? Buffer.alloc(0), { beforeMs: 375, afterMs: 375 });
    expect((await scorer.assess({ pcm: pcmOf(wav), text })).unusable).toBeUndefined();
  });

  it('is scored alike however long the silence around it is', { tags: ['slow'] }, async () => {
    for (const text of ['sheep', 'think', 'value', 'light', 'three', 'watch']) {
      const pcm = synthesisedPcm(text);
      const padded = new Float32Array(pcm.length + 2 * 16_000);
      padded.set(pcm, 11_200);
      const [alone, amidSilence] = [await scorer.assess({ pcm, text }), await scorer.assess({ pcm: padded, text })];
      expect(Math.abs((alone.pron ?? 0) - (amidSilence.pron ?? 0)), text).toBeLessThan(10);
    }
  });

  it('of a pair is not made up from silence', async () => {
    expect(await scorer.compare({ pcm: new Float32Array(16_000), text: 'vest', other: 'west' })).toBeNull();
  });
});

const CHUNK = 1_600;

describe.skipIf(!hasVoice)('streaming recognition', () => {
  it('follows a text word by word, with and without a worker thread', { tags: ['slow'] }, async () => {
    const texts = [WRONG_TEXT, SPOKEN_TEXT];
    const pcm = pcmOf(padWav(synthesise(SPOKEN_TEXT) ?? Buffer.alloc(0), { beforeMs: 300, afterMs: 800 }));
    for (const listener of [scorer, worker]) {
      const listening = listener.startRecognition(texts);
      const seen: string[] = [];
      for (let at = 0; at < pcm.length; at += CHUNK) {
        const following = await listening.push(pcm.slice(at, at + CHUNK));
        const said = following === null || following.text !== 1 ? '' : SPOKEN_TEXT.slice(0, following.spokenCharacters);
        if (said !== '' && said !== seen.at(-1)) seen.push(said);
      }
      listening.close();
      expect(seen.at(-1)).toBe(SPOKEN_TEXT);
      expect(seen.length).toBeGreaterThan(4);
      expect(seen).toEqual(seen.toSorted((a, b) => a.length - b.length));
    }
  });

  it('reports nothing for silence', async () => {
    const listening = scorer.startRecognition([SPOKEN_TEXT]);
    for (let at = 0; at < 30; at += 1) expect(await listening.push(new Float32Array(CHUNK))).toBeNull();
  });
});

const joined = (...parts: Float32Array[]): Float32Array => Float32Array.from(parts.flatMap((part) => [...part]));

describe.skipIf(!hasVoice)('word errors', () => {
  it('report an extra sentence as an insertion without affecting other words', async () => {
    const [first, extra, second] = ['We will deliver', 'and by the way', 'the new machines on Tuesday'].map(
      synthesisedPcm,
    );
    if (first === undefined || extra === undefined || second === undefined) throw new Error('no voice');
    const { words, unusable } = await scorer.assess({
      pcm: joined(first, extra, second),
      text: 'We will deliver the new machines on Tuesday',
    });
    expect(unusable).toBeUndefined();
    const inserted = words.findIndex(({ error }) => error === 'Insertion');
    expect(inserted).toBe(3);
    expect(words.filter(({ error }) => error === 'Omission')).toEqual([]);
    expect(words[inserted]?.startMs).toBeGreaterThan((first.length / 16) * 0.6);
    expect(words[inserted]?.endMs).toBeLessThan(((first.length + extra.length) / 16) * 1.15);
  });

  it('leave the pause after an extra sentence out of the next word', async () => {
    const [extra, whole] = ['and by the way', SPOKEN_TEXT].map(synthesisedPcm);
    if (extra === undefined || whole === undefined) throw new Error('no voice');
    const pause = new Float32Array(16_000);
    const { words } = await scorer.assess({ pcm: joined(extra, pause, whole), text: SPOKEN_TEXT });
    expect(words.map(({ error }) => error)).toEqual(['Insertion', ...SPOKEN_TEXT.split(' ').map(() => 'None')]);
    const [inserted, first] = words;
    const wholeStartMs = (extra.length + pause.length) / 16;
    expect(inserted?.endMs).toBeLessThan(extra.length / 16 + 100);
    expect(Math.abs((first?.startMs ?? 0) - wholeStartMs)).toBeLessThan(150);
  });

  it('report a first try of the sentence as an insertion, and no other sentence as this one', async () => {
    const sentence = synthesisedPcm(SPOKEN_TEXT);
    const pcm = joined(sentence, new Float32Array(6_400), sentence);
    const twice = await scorer.assess({ pcm, text: SPOKEN_TEXT });
    expect(twice.unusable).toBeUndefined();
    expect(twice.completeness).toBe(100);
    expect(twice.words.filter(({ error }) => error === 'Insertion')).toHaveLength(1);
    expect(twice.words.filter(({ error }) => error !== 'Insertion').map(({ error }) => error)).not.toContain(
      'Omission',
    );
    expect(await scorer.assess({ pcm, text: WRONG_TEXT })).toMatchObject({ unusable: { reason: 'not_the_text' } });
  });

  it('report a silence inside a phrase as a break, but not at a comma', async () => {
    const [first, second] = [synthesisedPcm('We will deliver the big'), synthesisedPcm('machines on Tuesday')];
    const pcm = joined(first, new Float32Array(12_000), second);
    const errors = async (text: string) => (await scorer.assess({ pcm, text })).words.map(({ error }) => error);
    expect((await errors('We will deliver the big machines on Tuesday'))[5]).toBe('UnexpectedBreak');
    expect((await errors('We will deliver the big, machines on Tuesday'))[5]).not.toBe('UnexpectedBreak');
  });
});

describe.skipIf(!hasVoice)('a passage of minutes', () => {
  it('keeps every word at its position despite omissions', { tags: ['slow'] }, async () => {
    const sentences = [
      SPOKEN_TEXT,
      'The price is the same as last year.',
      'Please send me the contract before Friday.',
    ];
    const text = Array.from({ length: 8 }, () => sentences.join(' ')).join(' ');
    const pauses = sentences.flatMap((sentence) => [synthesisedPcm(sentence), new Float32Array(9_600)]);
    const pcm = joined(...Array.from({ length: 8 }, () => pauses).flat());
    expect(pcm.length).toBeGreaterThan(60 * 16_000);
    const { words, accuracy, prosody, completeness, unusable } = await scorer.assess({ pcm, text });
    expect(unusable).toBeUndefined();
    expect(words.map(({ word }) => word)).toEqual(text.replaceAll('.', '').split(' '));
    expect(completeness).toBeGreaterThan(95);
    for (const value of [accuracy, prosody]) expect(value).toBeGreaterThan(30);
    words.forEach(({ startMs }, index) => {
      expect(startMs).toBeGreaterThanOrEqual(words[index - 1]?.startMs ?? 0);
    });
    expect(words.at(-1)?.endMs).toBeGreaterThan(pcm.length / 16 - 1_500);
  });
});

describe.skipIf(!hasLearners)('a free answer', () => {
  const each = learners.flatMap((learner) => (learner === null ? [] : [learner]));
  const texts = [...each.map(({ text }) => text.toLowerCase()), SPOKEN_TEXT, WRONG_TEXT];

  it(
    'is drafted with the practice’s expected words, with and without a worker thread',
    { timeout: 120_000 },
    async () => {
      let found = 0;
      let said = 0;
      for (const { text, wav } of each) {
        const draft = await scorer.transcribe({ pcm: samplesOf(wav), texts });
        const drafted = draft.words.map(({ word }) => word);
        const words = text.toLowerCase().split(' ');
        said += words.length;
        found += words.filter((word) => drafted.includes(word)).length;
        for (const { confidence, alternatives, startMs, endMs } of draft.words) {
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
          expect(alternatives.length).toBeLessThanOrEqual(4);
          expect(endMs).toBeLessThanOrEqual(draft.durationMs + 20);
          expect(endMs).toBeGreaterThan(startMs);
        }
        if (said === words.length) expect(await worker.transcribe({ pcm: samplesOf(wav), texts })).toEqual(draft);
      }
      expect(found / said).toBeGreaterThan(0.6);
    },
  );

  it('is not made up from silence', async () => {
    const draft = await scorer.transcribe({ pcm: new Float32Array(32_000), texts });
    expect(draft).toMatchObject({ words: [], unusable: { reason: 'silent' } });
  });
});

describe('unusable audio', () => {
  const samples = (seconds: number, at: (n: number) => number) =>
    Float32Array.from({ length: seconds * 16_000 }, (_, n) => at(n));
  const humAt = (n: number) =>
    [1, 2, 3, 5, 7].reduce((sum, k) => sum + Math.sin((2 * Math.PI * 50 * k * n) / 16_000) / k, 0);
  const waveringHum = samples(3, (n) => (n < 8_000 ? 0 : 0.08 * (1 + 0.7 * Math.sin(n * 0.002)) * humAt(n)));

  it.each(['Uh-huh', 'The sea', 'We will meet', 'I am in my room now'])(
    'such as wavering hum is not taken for “%s”',
    async (text) => {
      const assessment = await scorer.assess({ pcm: waveringHum, text });
      expect(assessment).toMatchObject({
        pron: null,
        unusable: { reason: expect.stringMatching(/^(?:not_the_text|noisy)$/) },
      });
    },
  );

  it.each([
    ['silence', 'silent', samples(2, () => 0)],
    ['an empty recording', 'silent', new Float32Array(0)],
    ['a tone', 'noisy', samples(2, (n) => 0.4 * Math.sin(n * 0.2))],
    ['a square wave at full level', 'clipped', samples(2, (n) => (n % 8_000 > 3_000 ? 0.001 : n % 80 < 40 ? 1 : -1))],
    ['hum after a moment of quiet', 'noisy', samples(3.5, (n) => (n < 14_000 ? 0 : 0.08 * humAt(n)))],
    ['two held tones', 'noisy', samples(2, (n) => (n < 7_000 ? 0 : 0.1 * (Math.sin(n * 0.13) + Math.sin(n * 0.3))))],
  ])('%s is rejected as %s with a hint', async (_what, reason, pcm) => {
    const assessment = await scorer.assess({ pcm, text: SPOKEN_TEXT });
    expect(assessment).toMatchObject({ pron: null, unusable: { reason, hint: expect.stringMatching(/\.$/) } });
  });
});
