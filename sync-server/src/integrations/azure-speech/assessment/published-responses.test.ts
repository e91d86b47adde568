/** Responses of the real service, as published by others. Times are in ticks of 100 ns, scores in percent. */
import { describe, expect, it } from 'vitest';
import { toAssessment } from './to-assessment.ts';
import { parsePhrase } from '../recognition/phrase.ts';
import { toSegment } from './segment.ts';

type PublishedWord = [
  word: string,
  offset: number,
  duration: number,
  accuracy: number,
  breaks?: [number, number, number],
];

interface Published {
  text: string;
  scores: Record<string, number>;
  intonation: object;
  words: PublishedWord[];
}

const GOOD_MORNING: Published = {
  text: 'Good morning.',
  scores: { AccuracyScore: 100, FluencyScore: 100, ProsodyScore: 87.8, CompletenessScore: 100 },
  intonation: { ErrorTypes: [], Monotone: { Confidence: 0, SyllablePitchDeltaConfidence: 0.91385907 } },
  words: [
    ['good', 700_000, 2_600_000, 100],
    ['morning', 3_400_000, 5_700_000, 100, [3.5e-8, 1, 0]],
  ],
};

const NEW_YORK: Published = {
  text: 'Go from New York to Los Angeles',
  scores: { AccuracyScore: 94, FluencyScore: 98, ProsodyScore: 78.8, CompletenessScore: 100 },
  intonation: { ErrorTypes: ['Monotone'], Monotone: { SyllablePitchDeltaConfidence: 0.19 } },
  words: [
    ['go', 7_300_000, 4_700_000, 94],
    ['from', 12_100_000, 5_900_000, 94, [2.6e-8, 1, 0]],
    ['new', 18_300_000, 3_000_000, 91, [0.052, 0.974, 200_000]],
    ['york', 21_400_000, 5_400_000, 97, [2.6e-8, 1, 0]],
    ['to', 26_900_000, 4_000_000, 94, [2.6e-8, 1, 0]],
    ['los', 31_200_000, 3_400_000, 97, [0.052, 0.974, 200_000]],
    ['angeles', 35_000_000, 7_200_000, 91, [0.079, 0.961, 300_000]],
  ],
};

const PENCIL: Published = {
  text: 'This is a pencil',
  scores: { AccuracyScore: 42, FluencyScore: 100, ProsodyScore: 81.1, CompletenessScore: 44 },
  intonation: { ErrorTypes: [], Monotone: { Confidence: 0 } },
  words: [
    ['this', 11_000_000, 4_900_000, 94],
    ['is', 16_000_000, 1_500_000, 91, [3.8e-8, 1, 0]],
    ['a', 17_600_000, 700_000, 100, [3.8e-8, 1, 0]],
    ['pencil', 18_400_000, 5_700_000, 97, [3.8e-8, 1, 0]],
  ],
};

function wordOf([word, Offset, Duration, accuracy, breaks]: PublishedWord, intonation: object): object {
  const [unexpected, missing, BreakLength = 0] = breaks ?? [];
  const Break = {
    ErrorTypes: ['None'],
    BreakLength,
    ...(breaks !== undefined && {
      UnexpectedBreak: { Confidence: unexpected },
      MissingBreak: { Confidence: missing },
    }),
  };
  const Feedback = { Prosody: { Break, Intonation: intonation } };
  return {
    Word: word,
    Offset,
    Duration,
    PronunciationAssessment: { AccuracyScore: accuracy, ErrorType: 'None', Feedback },
  };
}

function assess({ text, scores, intonation, words }: Published) {
  const best = { Display: text, PronunciationAssessment: scores, Words: words.map((word) => wordOf(word, intonation)) };
  const phrase = parsePhrase(JSON.stringify({ RecognitionStatus: 'Success', DisplayText: text, NBest: [best] }), {
    isAssessed: true,
  });
  if (phrase === null) throw new Error('the published answer was not parsed');
  return toAssessment([toSegment(phrase) ?? []].flat(), { durationMs: 5_000, miscues: { by: 'azure' } });
}

describe('a published answer for fluent speech', () => {
  it.each([
    ['Good morning', GOOD_MORNING],
    ['Go from New York to Los Angeles', NEW_YORK],
    ['This is a pencil', PENCIL],
  ])('has no word errors: %s', (_, published) => {
    const { words, accuracy, fluency } = assess(published);
    expect(words.map(({ word, error }) => `${word}: ${error}`)).toEqual(
      published.words.map(([word]) => `${word}: None`),
    );
    expect({ accuracy, fluency }).toEqual({
      accuracy: published.scores['AccuracyScore'],
      fluency: published.scores['FluencyScore'],
    });
  });

  it('has no prosody score for too few words', () => {
    expect(assess(GOOD_MORNING).prosody).toBeNull();
    expect(assess(NEW_YORK).prosody).toBe(78.8);
  });
});
