import { Assessment } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { toAssessment } from './to-assessment.ts';
import { type Phrase, parsePhrase } from '../recognition/phrase.ts';
import { type Segment, toSegment } from './segment.ts';

interface AzureWordSpec {
  word: string;
  accuracy?: number;
  error?: string;
  prosody?: object;
  phonemes?: object[];
}

const MS = 10_000;

function phraseOf(
  words: (string | AzureWordSpec)[],
  { scores = {}, startMs = 0, ...rest }: { scores?: object; startMs?: number; [name: string]: unknown } = {},
): Phrase {
  const phrase = parsePhrase(
    JSON.stringify({
      RecognitionStatus: 'Success',
      Offset: startMs * MS,
      Duration: words.length * 400 * MS,
      DisplayText: 'Said.',
      NBest: [
        {
          Display: 'Said.',
          PronunciationAssessment: { AccuracyScore: 80, FluencyScore: 90, CompletenessScore: 100, ...scores },
          Words: words.map((describeWords, index) => {
            const {
              word,
              accuracy = 90,
              error = 'None',
              prosody,
              phonemes = [],
            } = typeof describeWords === 'string' ? { word: describeWords } : describeWords;
            return {
              Word: word,
              Offset: (startMs + index * 400) * MS,
              Duration: 390 * MS,
              PronunciationAssessment: {
                AccuracyScore: accuracy,
                ErrorType: error,
                ...(prosody !== undefined && { Feedback: { Prosody: prosody } }),
              },
              Phonemes: phonemes,
            };
          }),
        },
      ],
      ...rest,
    }),
    { isAssessed: true },
  );
  if (phrase === null) throw new Error('not a phrase');
  return phrase;
}

const segmentsOf = (...phrases: Phrase[]): Segment[] => phrases.flatMap((phrase) => toSegment(phrase) ?? []);

const assess = (...phrases: Phrase[]): Assessment =>
  toAssessment(segmentsOf(...phrases), { durationMs: 5_000, miscues: { by: 'azure' } });

const errorsOf = ({ words }: Assessment): string[] => words.map(({ error }) => error);

const FIVE = ['we', 'call', 'it', 'a', 'bear'];
const breakFeedback = (unexpected: number, missing: number, verdicts = ['None']): object => ({
  Break: { ErrorTypes: verdicts, UnexpectedBreak: { Confidence: unexpected }, MissingBreak: { Confidence: missing } },
});
const BOTH_VERDICTS = ['UnexpectedBreak', 'MissingBreak'];

describe('one phrase', () => {
  it('converts scores and times and computes the overall score', () => {
    const assessment = assess(phraseOf(FIVE, { startMs: 700, scores: { ProsodyScore: 70 }, SNR: 38.76819 }));
    expect(Assessment.parse(assessment)).toMatchObject({
      source: 'azure',
      durationMs: 5_000,
      snrDb: 38.8,
      accuracy: 80,
      fluency: 90,
      prosody: 70,
      completeness: 100,
      pron: 82,
      pitch: [],
    });
    expect(assessment.words[1]).toMatchObject({ word: 'call', startMs: 1_100, endMs: 1_490, accuracy: 90 });
    expect(assessment.unusable).toBeUndefined();
  });

  it('returns null for scores that Azure left out', () => {
    const { snrDb, accuracy, fluency, prosody, completeness, pron } = assess(
      phraseOf(FIVE, { scores: { AccuracyScore: undefined, FluencyScore: undefined, CompletenessScore: undefined } }),
    );
    expect({ snrDb, accuracy, fluency, prosody, completeness, pron }).toEqual({
      snrDb: null,
      accuracy: null,
      fluency: null,
      prosody: null,
      completeness: null,
      pron: null,
    });
  });

  it.each([
    [0, 2, null],
    [77, 4, null],
    [77, 5, 77],
    [0, 5, null],
    [0, 9, null],
    [0, 10, 0],
    [12.34, 9, 12.3],
  ])('reads prosody %d over %d words as %s', (prosody, words, expected) => {
    const text = Array.from({ length: words }, (_, index) => `word${index}`);
    expect(assess(phraseOf(text, { scores: { ProsodyScore: prosody } })).prosody).toBe(expected);
  });

  it("marks words below 60 and Azure's own verdicts as mispronounced", () => {
    const words = [
      { word: 'one', accuracy: 59.9 },
      { word: 'two', accuracy: 60 },
      { word: 'three', accuracy: 88, error: 'Mispronunciation' },
    ];
    expect(errorsOf(assess(phraseOf(words)))).toEqual(['Mispronunciation', 'None', 'Mispronunciation']);
  });

  it("keeps Azure's omissions and insertions without inventing places or scores", () => {
    const phrase = phraseOf(['we', { word: 'call', error: 'Omission' }, { word: 'um', error: 'Insertion' }, 'it']);
    const omitted = phrase.NBest?.[0]?.Words?.[1];
    if (omitted !== undefined) omitted.Offset = null;
    const { words } = assess(phrase);
    expect(words[1]).toEqual({ word: 'call', startMs: 390, endMs: 390, accuracy: 0, error: 'Omission', phonemes: [] });
    expect(words[2]).toMatchObject({ word: 'um', error: 'Insertion', accuracy: null });
  });

  it.each([
    ['a confident unexpected break', breakFeedback(0.76, 0, BOTH_VERDICTS), 'UnexpectedBreak'],
    ['an uncertain unexpected break', breakFeedback(0.75, 0, BOTH_VERDICTS), 'None'],
    ['a confident missing break', breakFeedback(0, 0.76, BOTH_VERDICTS), 'MissingBreak'],
    ['an uncertain missing break', breakFeedback(0, 0.75, BOTH_VERDICTS), 'None'],
    ['a verdict without a confidence', { Break: { ErrorTypes: ['MissingBreak'] } }, 'MissingBreak'],
    ['confidence without a verdict', breakFeedback(0.99, 1), 'None'],
    ['confidence in the other verdict only', breakFeedback(0.99, 0.1, ['MissingBreak']), 'None'],
    ['no break feedback', {}, 'None'],
  ])('%s before a word', (_, prosody, expected) => {
    const [, error] = errorsOf(assess(phraseOf(['we', { word: 'call', prosody }, 'it'])));
    expect(error).toBe(expected);
  });

  it('ignores a break before the first word and prefers a mispronunciation', () => {
    const prosody = breakFeedback(1, 0, BOTH_VERDICTS);
    const words = [{ word: 'we', prosody }, { word: 'call', accuracy: 20, prosody }, 'it'];
    expect(errorsOf(assess(phraseOf(words)))).toEqual(['None', 'Mispronunciation', 'None']);
  });

  it.each([
    [
      'marked for a confident verdict',
      { Intonation: { ErrorTypes: ['Monotone'], Monotone: { Confidence: 0.76 } } },
      true,
    ],
    [
      'not marked for an uncertain verdict',
      { Intonation: { ErrorTypes: ['Monotone'], Monotone: { Confidence: 0 } } },
      false,
    ],
    [
      'not marked for a verdict without a confidence',
      { Intonation: { ErrorTypes: ['Monotone'], Monotone: { SyllablePitchDeltaConfidence: 0.19 } } },
      false,
    ],
    ['not marked for a confidence alone', { Intonation: { ErrorTypes: [], Monotone: { Confidence: 1 } } }, false],
  ])('a flat melody is %s, once at its start', (_, prosody, isFlat) => {
    const words = ['we', 'call', 'it'].map((word) => ({ word, prosody }));
    expect(errorsOf(assess(phraseOf(words)))).toEqual([isFlat ? 'Monotone' : 'None', 'None', 'None']);
  });

  it('lists the phonemes that scored above the expected one', () => {
    const candidates = (...scores: [string, number][]): object[] =>
      scores.map(([Phoneme, Score]) => ({ Phoneme, Score }));
    const phonemes = [
      {
        Phoneme: 'h',
        Offset: 0,
        Duration: 350 * MS,
        PronunciationAssessment: { AccuracyScore: 98, NBestPhonemes: candidates(['h', 100], ['oʊ', 52]) },
      },
      {
        Phoneme: 'ɛ',
        Offset: 360 * MS,
        Duration: 50 * MS,
        PronunciationAssessment: {
          AccuracyScore: 47,
          NBestPhonemes: candidates(['ə', 100], ['l', 52], ['ɛ', 47], ['h', 17]),
        },
      },
    ];
    const [word] = assess(phraseOf([{ word: 'hello', phonemes }])).words;
    expect(word?.phonemes).toEqual([
      { phoneme: 'h', startMs: 0, endMs: 350, accuracy: 98 },
      {
        phoneme: 'ɛ',
        startMs: 360,
        endMs: 410,
        accuracy: 47,
        heardAs: [
          { phoneme: 'ə', likelihood: 1 },
          { phoneme: 'l', likelihood: 0.52 },
        ],
      },
    ]);
  });

  it('shifts phonemes to their word when the SDK shifted only the word', () => {
    const phonemes = [{ Phoneme: 'w', Offset: 0, Duration: 100 * MS, PronunciationAssessment: { AccuracyScore: 90 } }];
    const [word] = assess(phraseOf([{ word: 'we', phonemes }], { startMs: 30_000 })).words;
    expect(word?.phonemes[0]).toMatchObject({ startMs: 30_000, endMs: 30_100 });
  });

  it('reports the pauses that a listener notices', () => {
    const words = segmentsOf(
      phraseOf(['we']),
      phraseOf(['call'], { startMs: 589 }),
      phraseOf(['it'], { startMs: 1_200 }),
    );
    const { pauses } = toAssessment(words, { durationMs: 2_000, miscues: { by: 'azure' } });
    expect(pauses).toEqual([{ startMs: 979, endMs: 1_200 }]);
  });
});

describe('several phrases', () => {
  const first = phraseOf(['a', 'b', 'c', 'd', 'e', 'f'], {
    scores: { AccuracyScore: 90, FluencyScore: 100, ProsodyScore: 60 },
    SNR: 30,
  });
  const second = phraseOf(['g', 'h', 'i'], {
    startMs: 4_000,
    scores: { AccuracyScore: 60, FluencyScore: 40, ProsodyScore: 0 },
    SNR: 20,
  });

  it('weights accuracy and prosody by words and fluency by speaking time', () => {
    const { accuracy, fluency, prosody, snrDb, words } = assess(first, second);
    expect(accuracy).toBe(80);
    // The phrases last 2,390 ms and 1,190 ms from the first word to the last.
    expect(fluency).toBeCloseTo((100 * 2_390 + 40 * 1_190) / 3_580, 1);
    expect(prosody).toBe(60);
    expect(snrDb).toBe(20);
    expect(words.map(({ word }) => word).join('')).toBe('abcdefghi');
  });

  it('computes completeness from the text when Azure does not measure it', () => {
    const assessment = toAssessment(segmentsOf(first, second), {
      durationMs: 6_000,
      miscues: { by: 'us', referenceText: 'A b c d e f g h i j k l' },
    });
    expect(assessment.completeness).toBe(75);
    expect(errorsOf(assessment).filter((error) => error === 'Omission')).toHaveLength(3);
  });

  it('has no completeness without a reference text', () => {
    const assessment = toAssessment(segmentsOf(first), { durationMs: 3_000, miscues: { by: 'none' } });
    expect(assessment).toMatchObject({ completeness: null, pron: 74 });
  });
});

describe('an utterance without speech', () => {
  it.each([
    ['no match', { RecognitionStatus: 'NoMatch', NBest: undefined }],
    ['silence', { RecognitionStatus: 'InitialSilenceTimeout', NBest: undefined }],
    [
      'no words',
      { NBest: [{ Display: '', PronunciationAssessment: { AccuracyScore: 0, FluencyScore: 0 }, Words: [] }] },
    ],
    [
      'only omitted words',
      {
        NBest: [
          {
            Words: [{ Word: 'we', PronunciationAssessment: { ErrorType: 'Omission', AccuracyScore: 0 } }],
            PronunciationAssessment: { AccuracyScore: 0 },
          },
        ],
      },
    ],
  ])('%s becomes silence without scores', (_, told) => {
    const assessment = assess(phraseOf(['we'], told));
    expect(Assessment.parse(assessment)).toMatchObject({ accuracy: null, fluency: null, pron: null, words: [] });
    expect(assessment.unusable?.reason).toBe('silent');
  });
});

describe('a malformed answer', () => {
  it.each([
    ['text that is not JSON', '{"RecognitionStatus":'],
    ['JSON of another shape', '{"RecognitionStatus":"Success","NBest":[{"Words":[{"Word":7}]}]}'],
    ['success without an alternative', '{"RecognitionStatus":"Success","DisplayText":"Hello."}'],
    [
      'words without scores',
      '{"RecognitionStatus":"Success","NBest":[{"Display":"Hello.","Words":[{"Word":"hello"}]}]}',
    ],
  ])('%s is rejected', (_, json) => {
    expect(parsePhrase(json, { isAssessed: true })).toBeNull();
  });

  it.each([
    ['without an alternative', '{"RecognitionStatus":"Success","DisplayText":""}'],
    ['with no alternatives', '{"RecognitionStatus":"Success","DisplayText":"","NBest":[]}'],
    ['with an empty alternative', '{"RecognitionStatus":"Success","NBest":[{"Display":"","Words":[]}]}'],
  ])('an empty success %s is silence', (_, json) => {
    const phrase = parsePhrase(json, { isAssessed: true });
    expect(phrase).not.toBeNull();
    expect(segmentsOf(...(phrase === null ? [] : [phrase]))).toEqual([]);
  });

  it('requires no scores when none were requested', () => {
    expect(parsePhrase('{"RecognitionStatus":"Success","DisplayText":"Hello."}', { isAssessed: false })).toMatchObject({
      DisplayText: 'Hello.',
    });
  });
});
