/** Runs the real SDK against the fake. */
import { Assessment } from '@parley/domain';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_UTTERANCE_MS } from '../recognition/replayable-audio.ts';
import { synthesiseSpeech, concatAudio, repeatToLength, silence } from '../test-kit/speech-audio.ts';
import { startAzureFixture, KEY, chunkAudio } from '../test-kit/azure-fixture.ts';

const TEXT = 'I would like a cup of tea, please.';
/** Texts above 50 words are read in continuous mode. */
const LONG_TEXT = Array.from({ length: 60 }, (_, index) => `word${String.fromCodePoint(97 + (index % 26))}`).join(' ');

let voice: Uint8Array;
beforeAll(async () => {
  voice = await synthesiseSpeech(TEXT);
});

describe('a short text', () => {
  it('is measured in every dimension down to its phonemes', async () => {
    const { say, calls } = await startAzureFixture();
    const { text, assessment } = await say(voice, { referenceText: TEXT });
    expect(text).toBe('I would like a cup of tea please.');
    expect(Assessment.parse(assessment)).toMatchObject({ source: 'azure', snrDb: 38.8, completeness: 100, pitch: [] });
    for (const score of [assessment.accuracy, assessment.fluency, assessment.prosody, assessment.pron])
      expect(score).toBeGreaterThan(70);
    expect(assessment.durationMs).toBe(Math.round(voice.length / 32));
    expect(assessment.words.map(({ word }) => word)).toEqual(TEXT.toLowerCase().match(/\w+/g));
    expect(assessment.words.at(-1)?.endMs).toBeCloseTo(assessment.durationMs, -1);
    expect(assessment.words.every(({ phonemes }) => phonemes.length > 0)).toBe(true);
    expect(calls).toMatchObject([
      { path: '/speech/recognition/interactive/cognitiveservices/v1', key: KEY, audioBytes: voice.length },
    ]);
  });

  it('requests hundred marks, IPA, miscues, prosody and phoneme candidates', async () => {
    const { say, calls } = await startAzureFixture();
    await say(voice, { referenceText: TEXT });
    expect(calls[0]?.assessment).toEqual({
      referenceText: TEXT,
      gradingSystem: 'HundredMark',
      granularity: 'Phoneme',
      dimension: 'Comprehensive',
      phonemeAlphabet: 'IPA',
      nbestPhonemeCount: 5,
      enableMiscue: true,
      enableProsodyAssessment: true,
    });
    expect(calls[0]?.context).toMatchObject({
      phraseDetection: { language: 'en-US', initialSilenceTimeout: 0 },
      phraseOutput: { format: 'Detailed' },
    });
  });

  it('is streamed while the learner speaks', async () => {
    const { assessor, calls } = await startAzureFixture();
    const stream = assessor.open({ referenceText: TEXT, signal: new AbortController().signal });
    const pieces = chunkAudio(voice);
    for (const piece of pieces.slice(0, 5)) stream.write(piece);
    await vi.waitFor(() => expect(calls[0]?.audioBytes).toBe(5 * 3_200));
    expect(calls[0]?.hasAudioEnded).toBe(false);
    for (const piece of pieces.slice(5)) stream.write(piece);
    const { assessment } = await stream.end();
    expect(assessment.pron).not.toBeNull();
    expect(calls).toMatchObject([{ hasAudioEnded: true, audioBytes: voice.length }]);
  });

  it('copies chunks, so that the caller may reuse the buffer', async () => {
    const { assessor, calls } = await startAzureFixture();
    const stream = assessor.open({ referenceText: TEXT, signal: new AbortController().signal });
    const buffer = new Uint8Array(voice.subarray(0, 6_400));
    stream.write(buffer);
    buffer.fill(0);
    const { assessment } = await stream.end();
    expect(assessment.durationMs).toBe(200);
    expect(calls[0]?.audioBytes).toBe(6_400);
  });

  it('reports miscues, mispronunciations, breaks and heard phonemes', async () => {
    const { say } = await startAzureFixture({
      script: [
        {
          omitted: ['of'],
          inserted: [{ word: 'nice', before: 'cup' }],
          words: {
            would: { accuracy: 31, firstHeardAs: 'v' },
            like: { unexpectedBreak: 0.9 },
            cup: { unexpectedBreak: 0.7 },
            please: { missingBreak: 0.8 },
          },
        },
      ],
    });
    const { assessment } = await say(voice, { referenceText: TEXT });
    expect(assessment.words.map(({ word, error }) => `${word} ${error}`)).toEqual([
      'i None',
      'would Mispronunciation',
      'like UnexpectedBreak',
      'a None',
      'nice Insertion',
      'cup None',
      'of Omission',
      'tea None',
      'please MissingBreak',
    ]);
    expect(assessment.words[1]?.phonemes[0]).toMatchObject({
      accuracy: 31,
      heardAs: [{ phoneme: 'v', likelihood: 1 }],
    });
    expect(assessment.completeness).toBe(87.5);
  });

  it.each([
    [{ verdict: true, confidence: 0.9 }, 'Monotone'],
    [{ verdict: true, confidence: 0 }, 'None'],
    [{ verdict: true }, 'None'],
    [{ verdict: false, confidence: 0.9 }, 'None'],
  ])('marks a melody of %o', async (monotone, error) => {
    const { say } = await startAzureFixture({ script: [{ monotone }] });
    const { assessment } = await say(voice, { referenceText: TEXT });
    expect(assessment.words.map((word) => word.error)).toEqual([error, ...Array<string>(7).fill('None')]);
  });

  it('has no prosody when Azure answered 0 for too few words', async () => {
    const { say } = await startAzureFixture({ script: [{ segments: [{ prosody: 0, accuracy: 80, fluency: 90 }] }] });
    const { assessment } = await say(voice, { referenceText: 'Good morning' });
    expect(assessment).toMatchObject({ prosody: null, pron: 86 });
  });

  it('repeats in continuous mode when the recogniser took a pause for the end', async () => {
    const { say, calls } = await startAzureFixture({ script: [{ stopsAtMs: 1_000 }, { omitted: ['please'] }] });
    const { text, assessment } = await say(repeatToLength(voice, 4_000), { referenceText: TEXT });
    expect(calls.map(({ mode }) => mode)).toEqual(['interactive', 'conversation']);
    expect(calls[1]).toMatchObject({ audioBytes: 4_000 * 32, assessment: { enableMiscue: true } });
    expect(text).toBe('I would like a cup of tea.');
    expect(assessment.completeness).toBe(87.5);
    expect(assessment.words.at(-1)).toMatchObject({ word: 'please', error: 'Omission' });
  });

  it('does not repeat because of trailing silence', async () => {
    const { say, calls } = await startAzureFixture({ script: [{ stopsAtMs: 2_000 }] });
    await say(concatAudio(repeatToLength(voice, 1_900), silence(3_000)), { referenceText: TEXT });
    expect(calls).toHaveLength(1);
  });

  it('also uses the protocol of the regions', async () => {
    const { fake, access, assessor, calls } = await startAzureFixture();
    const request = { referenceText: TEXT, signal: new AbortController().signal };
    const stream = assessor.open(request, { ...access, endpoint: `${fake.endpoint}/stt/speech/universal/v2` });
    stream.write(voice);
    const { assessment } = await stream.end();
    expect(assessment.completeness).toBe(100);
    expect(calls).toMatchObject([{ path: '/stt/speech/universal/v2', mode: 'interactive', key: KEY }]);
  });
});

describe('a long text', () => {
  const segments = [
    { accuracy: 90, fluency: 100, prosody: 70 },
    { accuracy: 60, fluency: 40, prosody: 40 },
  ];

  it('merges its phrases and finds miscues by comparison with the text', async () => {
    const { say, calls } = await startAzureFixture({
      script: [{ segments, omitted: ['wordc', 'wordd'], inserted: [{ word: 'um', before: 'wordf' }] }],
    });
    const { text, assessment } = await say(repeatToLength(voice, 31_000), { referenceText: LONG_TEXT });
    expect(calls).toMatchObject([
      { mode: 'conversation', audioBytes: 31_000 * 32, assessment: { enableMiscue: true } },
    ]);
    const { words, accuracy, fluency, prosody, completeness } = Assessment.parse(assessment);
    // The phrases have 58 words of the text and one more: 30 in the first, 29 in the second.
    expect(accuracy).toBeCloseTo((90 * 30 + 60 * 29) / 59, 1);
    expect(fluency).toBeCloseTo(70, 0);
    expect(prosody).toBeCloseTo((70 * 30 + 40 * 29) / 59, 1);
    expect(completeness).toBeCloseTo((58 / 60) * 100, 1);
    expect(words.filter(({ error }) => error === 'Omission').map(({ word }) => word)).toEqual(['wordc', 'wordd']);
    expect(words.filter(({ error }) => error === 'Insertion').map(({ word }) => word)).toEqual(['um']);
    expect(words.every((word, index) => word.startMs >= (words[index - 1]?.startMs ?? 0))).toBe(true);
    expect(text.split(' ')).toHaveLength(59);
  });

  it('excludes phrases that are too short from prosody', async () => {
    const { say } = await startAzureFixture({
      script: [{ segments: [...segments, ...Array.from({ length: 18 }, () => ({ prosody: 0 }))] }],
    });
    const { assessment } = await say(repeatToLength(voice, 8_000), { referenceText: LONG_TEXT });
    expect(assessment.prosody).toBeNull();
  });
});

describe('free speech', () => {
  it('is transcribed while spoken, then assessed against the transcript', async () => {
    const { say, calls } = await startAzureFixture();
    const { text, assessment } = await say(voice, { referenceText: null });
    expect(text).toBe('I would like a cup of tea with a little milk please.');
    expect(calls).toMatchObject([
      { mode: 'conversation', assessment: null, audioBytes: voice.length },
      { mode: 'interactive', assessment: { referenceText: text, enableMiscue: false }, audioBytes: voice.length },
    ]);
    expect(assessment).toMatchObject({ completeness: null, words: expect.toSatisfy((words) => words.length === 12) });
    expect(assessment.pron).toBeGreaterThan(70);
  });

  it('above 30 seconds uses continuous mode without omissions', async () => {
    const { say, calls } = await startAzureFixture({ script: [{}, { omitted: ['little'] }] });
    const { assessment } = await say(repeatToLength(voice, 31_000), { referenceText: null });
    expect(calls.map(({ mode }) => mode)).toEqual(['conversation', 'conversation']);
    expect(assessment.words.map(({ error }) => error)).toEqual(Array(12).fill('None'));
    expect(assessment.completeness).toBeNull();
  });

  it('that is silent is not assessed', async () => {
    const { say, calls } = await startAzureFixture({ script: [{ hears: 'silence' }] });
    const { text, assessment } = await say(silence(1_000), { referenceText: null });
    expect(text).toBe('');
    expect(assessment.unusable?.reason).toBe('silent');
    expect(calls).toHaveLength(1);
  });
});

describe('speech that cannot be measured', () => {
  it.each([
    ['silence', TEXT],
    ['no_match', TEXT],
    ['silence', LONG_TEXT],
    ['no_match', LONG_TEXT],
  ] as const)('%s is reported as silence without scores', async (hears, referenceText) => {
    const { say, calls } = await startAzureFixture({ script: [{ hears }] });
    const { text, assessment } = await say(hears === 'silence' ? silence(900) : voice, { referenceText });
    expect(text).toBe('');
    expect(Assessment.parse(assessment)).toMatchObject({
      accuracy: null,
      fluency: null,
      prosody: null,
      completeness: null,
      pron: null,
      words: [],
      unusable: { reason: 'silent' },
    });
    expect(calls).toHaveLength(1);
  });

  it('needs no answer for an utterance without audio', async () => {
    const { say } = await startAzureFixture();
    const { assessment } = await say(new Uint8Array(0), { referenceText: TEXT });
    expect(assessment).toMatchObject({ durationMs: 0, unusable: { reason: 'silent' } });
  });

  it('rejects more than five minutes of audio', async () => {
    const { assessor } = await startAzureFixture();
    const abortController = new AbortController();
    const stream = assessor.open({ referenceText: TEXT, signal: abortController.signal });
    stream.write(silence(MAX_UTTERANCE_MS));
    expect(() => stream.write(silence(1))).toThrow(RangeError);
    abortController.abort();
  });
});
