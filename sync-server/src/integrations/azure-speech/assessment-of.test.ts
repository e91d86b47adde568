import { Assessment } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { assessmentOf } from './assessment-of.ts';
import { type Phrase, readPhrase } from './phrase.ts';
import { type Segment, segmentOf } from './segment.ts';

interface WordToTell {
  word: string;
  accuracy?: number;
  error?: string;
  prosody?: object;
  phonemes?: object[];
}

const MS = 10_000;

function phraseOf(
  words: (string | WordToTell)[],
  { scores = {}, startMs = 0, ...rest }: { scores?: object; startMs?: number; [name: string]: unknown } = {},
): Phrase {
  const phrase = readPhrase(
    JSON.stringify({
      RecognitionStatus: 'Success',
      Offset: startMs * MS,
      Duration: words.length * 400 * MS,
      DisplayText: 'Said.',
      NBest: [
        {
          Display: 'Said.',
          PronunciationAssessment: { AccuracyScore: 80, FluencyScore: 90, CompletenessScore: 100, ...scores },
          Words: words.map((told, index) => {
            const {
              word,
              accuracy = 90,
              error = 'None',
              prosody,
              phonemes = [],
            } = typeof told === 'string' ? { word: told } : told;
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

const segmentsOf = (...phrases: Phrase[]): Segment[] => phrases.flatMap((phrase) => segmentOf(phrase) ?? []);

const assess = (...phrases: Phrase[]): Assessment =>
  assessmentOf(segmentsOf(...phrases), { durationMs: 5_000, miscues: { by: 'azure' } });

const errorsOf = ({ words }: Assessment): string[] => words.map(({ error }) => error);

const FIVE = ['we', 'call', 'it', 'a', 'bear'];
const pauseBefore = (unexpected: number, missing: number, verdicts = ['None']): object => ({
  Break: { ErrorTypes: verdicts, UnexpectedBreak: { Confidence: unexpected }, MissingBreak: { Confidence: missing } },
});
const BOTH = ['UnexpectedBreak', 'MissingBreak'];

describe('one phrase', () => {
  it('tells the scores as they are, times in milliseconds, and the overall score by our own rule', () => {
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

  it('says null for every score that Azure left out', () => {
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
  ])('a prosody of %d over %d words is %s', (prosody, words, expected) => {
    const text = Array.from({ length: words }, (_, index) => `word${index}`);
    expect(assess(phraseOf(text, { scores: { ProsodyScore: prosody } })).prosody).toBe(expected);
  });

  it('calls a word under 60 mispronounced, also where Azure does not, and otherwise believes it', () => {
    const words = [
      { word: 'one', accuracy: 59.9 },
      { word: 'two', accuracy: 60 },
      { word: 'three', accuracy: 88, error: 'Mispronunciation' },
    ];
    expect(errorsOf(assess(phraseOf(words)))).toEqual(['Mispronunciation', 'None', 'Mispronunciation']);
  });

  it('takes what was left out and put in from Azure, without a place or a score where it has none', () => {
    const phrase = phraseOf(['we', { word: 'call', error: 'Omission' }, { word: 'um', error: 'Insertion' }, 'it']);
    const omitted = phrase.NBest?.[0]?.Words?.[1];
    if (omitted !== undefined) omitted.Offset = null;
    const { words } = assess(phrase);
    expect(words[1]).toEqual({ word: 'call', startMs: 390, endMs: 390, accuracy: 0, error: 'Omission', phonemes: [] });
    expect(words[2]).toMatchObject({ word: 'um', error: 'Insertion', accuracy: null });
  });

  it.each([
    ['a sure unexpected break', pauseBefore(0.76, 0, BOTH), 'UnexpectedBreak'],
    ['an unsure unexpected break', pauseBefore(0.75, 0, BOTH), 'None'],
    ['a sure missing break', pauseBefore(0, 0.76, BOTH), 'MissingBreak'],
    ['an unsure missing break', pauseBefore(0, 0.75, BOTH), 'None'],
    ['a verdict without a confidence', { Break: { ErrorTypes: ['MissingBreak'] } }, 'MissingBreak'],
    ['sure confidences without a verdict', pauseBefore(0.99, 1), 'None'],
    ['a sure confidence of the other verdict', pauseBefore(0.99, 0.1, ['MissingBreak']), 'None'],
    ['no word of pauses', {}, 'None'],
  ])('%s before a word', (_, prosody, expected) => {
    const [, error] = errorsOf(assess(phraseOf(['we', { word: 'call', prosody }, 'it'])));
    expect(error).toBe(expected);
  });

  it('finds no pause before the first word, and a mispronounced word is that first of all', () => {
    const prosody = pauseBefore(1, 0, BOTH);
    const words = [{ word: 'we', prosody }, { word: 'call', accuracy: 20, prosody }, 'it'];
    expect(errorsOf(assess(phraseOf(words)))).toEqual(['None', 'Mispronunciation', 'None']);
  });

  it.each([
    ['by a sure verdict', { Intonation: { ErrorTypes: ['Monotone'], Monotone: { Confidence: 0.76 } } }, true],
    ['not by an unsure verdict', { Intonation: { ErrorTypes: ['Monotone'], Monotone: { Confidence: 0 } } }, false],
    [
      'not by a verdict without a confidence',
      { Intonation: { ErrorTypes: ['Monotone'], Monotone: { SyllablePitchDeltaConfidence: 0.19 } } },
      false,
    ],
    ['not by a confidence alone', { Intonation: { ErrorTypes: [], Monotone: { Confidence: 1 } } }, false],
  ])('a flat melody is marked once, where it begins: %s', (_, prosody, isFlat) => {
    const words = ['we', 'call', 'it'].map((word) => ({ word, prosody }));
    expect(errorsOf(assess(phraseOf(words)))).toEqual([isFlat ? 'Monotone' : 'None', 'None', 'None']);
  });

  it('tells the sounds that were rather heard, as in the example of the documentation, and none where the right one came first', () => {
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

  it('moves phonemes to their word where the SDK moved only the word', () => {
    const phonemes = [{ Phoneme: 'w', Offset: 0, Duration: 100 * MS, PronunciationAssessment: { AccuracyScore: 90 } }];
    const [word] = assess(phraseOf([{ word: 'we', phonemes }], { startMs: 30_000 })).words;
    expect(word?.phonemes[0]).toMatchObject({ startMs: 30_000, endMs: 30_100 });
  });

  it('tells the pauses that a listener notices', () => {
    const words = segmentsOf(
      phraseOf(['we']),
      phraseOf(['call'], { startMs: 589 }),
      phraseOf(['it'], { startMs: 1_200 }),
    );
    const { pauses } = assessmentOf(words, { durationMs: 2_000, miscues: { by: 'azure' } });
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

  it('weighs accuracy by words, fluency by speaking time, prosody by words where it says something', () => {
    const { accuracy, fluency, prosody, snrDb, words } = assess(first, second);
    expect(accuracy).toBe(80);
    // 2,390 ms and 1,190 ms from the first word to the last.
    expect(fluency).toBeCloseTo((100 * 2_390 + 40 * 1_190) / 3_580, 1);
    expect(prosody).toBe(60);
    expect(snrDb).toBe(20);
    expect(words.map(({ word }) => word).join('')).toBe('abcdefghi');
  });

  it('measures completeness by the words of the text when nobody else did', () => {
    const assessment = assessmentOf(segmentsOf(first, second), {
      durationMs: 6_000,
      miscues: { by: 'us', referenceText: 'A b c d e f g h i j k l' },
    });
    expect(assessment.completeness).toBe(75);
    expect(errorsOf(assessment).filter((error) => error === 'Omission')).toHaveLength(3);
  });

  it('has no completeness where nothing was to be said', () => {
    const assessment = assessmentOf(segmentsOf(first), { durationMs: 3_000, miscues: { by: 'nobody' } });
    expect(assessment).toMatchObject({ completeness: null, pron: 74 });
  });
});

describe('nothing that was said', () => {
  it.each([
    ['no match', { RecognitionStatus: 'NoMatch', NBest: undefined }],
    ['silence', { RecognitionStatus: 'InitialSilenceTimeout', NBest: undefined }],
    [
      'no words',
      { NBest: [{ Display: '', PronunciationAssessment: { AccuracyScore: 0, FluencyScore: 0 }, Words: [] }] },
    ],
    [
      'every word left out',
      {
        NBest: [
          {
            Words: [{ Word: 'we', PronunciationAssessment: { ErrorType: 'Omission', AccuracyScore: 0 } }],
            PronunciationAssessment: { AccuracyScore: 0 },
          },
        ],
      },
    ],
  ])('%s is silence with no scores', (_, told) => {
    const assessment = assess(phraseOf(['we'], told));
    expect(Assessment.parse(assessment)).toMatchObject({ accuracy: null, fluency: null, pron: null, words: [] });
    expect(assessment.unusable?.reason).toBe('silent');
  });
});

describe('an answer that is none', () => {
  it.each([
    ['no JSON', '{"RecognitionStatus":'],
    ['another shape', '{"RecognitionStatus":"Success","NBest":[{"Words":[{"Word":7}]}]}'],
    ['success without an alternative', '{"RecognitionStatus":"Success","DisplayText":"Hello."}'],
    [
      'words without scores',
      '{"RecognitionStatus":"Success","NBest":[{"Display":"Hello.","Words":[{"Word":"hello"}]}]}',
    ],
  ])('%s', (_, json) => {
    expect(readPhrase(json, { isAssessed: true })).toBeNull();
  });

  it.each([
    ['without an alternative', '{"RecognitionStatus":"Success","DisplayText":""}'],
    ['with no alternatives', '{"RecognitionStatus":"Success","DisplayText":"","NBest":[]}'],
    ['with an empty alternative', '{"RecognitionStatus":"Success","NBest":[{"Display":"","Words":[]}]}'],
  ])('is silence when it is an empty success %s', (_, json) => {
    const phrase = readPhrase(json, { isAssessed: true });
    expect(phrase).not.toBeNull();
    expect(segmentsOf(...(phrase === null ? [] : [phrase]))).toEqual([]);
  });

  it('needs no scores where none were asked for', () => {
    expect(readPhrase('{"RecognitionStatus":"Success","DisplayText":"Hello."}', { isAssessed: false })).toMatchObject({
      DisplayText: 'Hello.',
    });
  });
});
