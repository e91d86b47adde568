import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignVoices, pairWords, type VoiceTrack } from './align-voices.ts';
import { compareVoices } from './compare-voices.ts';
import type { WordAssessment } from './assessment.ts';

interface Reading {
  /** The milliseconds from each word to the next. */
  beats: readonly number[];
  /** The pitch at a moment, given by its word and the relative position within it. */
  hz: (word: number, share: number) => number;
  omitted?: ReadonlySet<number>;
}

const STEP_MS = 20;

/** A voice that says words named a, b, c …, each for four fifths of its beat. */
function aVoice({ beats, hz, omitted = new Set() }: Reading): VoiceTrack {
  let at = 300;
  const words: WordAssessment[] = [];
  const pitch: VoiceTrack['pitch'] = [];
  beats.forEach((beat, index) => {
    const isOmitted = omitted.has(index);
    const endMs = isOmitted ? at : at + beat * 0.8;
    words.push({
      word: String.fromCharCode(97 + index),
      startMs: at,
      endMs,
      accuracy: isOmitted ? 0 : 90,
      error: isOmitted ? 'Omission' : 'None',
      phonemes: [],
    });
    for (let ms = at; ms < endMs; ms += STEP_MS) pitch.push({ ms, hz: hz(index, (ms - at) / (endMs - at)) });
    if (!isOmitted) at += beat;
  });
  return { durationMs: at + 300, words, pitch };
}

const BEATS = [320, 180, 540, 260, 410, 700, 220];
const MELODY = [0, 3, -2, 6, 1, -4, 2];
/** A melody in semitones around 180 Hz that also moves inside each word. */
const sung =
  (semitones: readonly number[], { base = 180, slide = 2 } = {}) =>
  (word: number, share: number): number =>
    base * 2 ** (((semitones[word] ?? 0) + slide * share) / 12);
const model = aVoice({ beats: BEATS, hz: sung(MELODY) });

const scoresOf = (own: VoiceTrack, of = model) => {
  const { melody, rhythm } = compareVoices(of, own);
  return { melody: melody.score, rhythm: rhythm.score };
};

const factor = fc.double({ min: 0.6, max: 1.8, noNaN: true });
const beats = fc.array(fc.integer({ min: 120, max: 900 }), { minLength: 7, maxLength: 7 });
const melody = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 7, maxLength: 7 });

describe('compareVoices', () => {
  it('gives the model itself full marks, however high or fast it speaks', () => {
    fc.assert(
      fc.property(factor, factor, (higher, slower) => {
        const own = aVoice({ beats: BEATS.map((beat) => beat * slower), hz: sung(MELODY, { base: 180 * higher }) });
        const scores = scoresOf(own);
        expect(scores.rhythm).toBe(100);
        expect(scores.melody).toBeGreaterThan(97);
      }),
    );
  });

  it('scores between 0 and 100, or says why not', () => {
    fc.assert(
      fc.property(beats, melody, beats, melody, fc.subarray([0, 1, 2, 3, 4, 5, 6]), (b1, m1, b2, m2, omitted) => {
        const own = aVoice({ beats: b2, hz: sung(m2), omitted: new Set(omitted) });
        for (const { score, whyNot } of Object.values(compareVoices(aVoice({ beats: b1, hz: sung(m1) }), own))) {
          expect(score === null).toBe(whyNot !== null);
          if (score !== null) expect(score >= 0 && score <= 100).toBe(true);
        }
      }),
    );
  });

  it('gives nothing for the opposite melody, and little for a flat voice', () => {
    const opposite = MELODY.map((semitones) => -semitones);
    expect(scoresOf(aVoice({ beats: BEATS, hz: sung(opposite, { slide: -2 }) })).melody).toBe(0);
    const quarter = MELODY.map((semitones) => semitones / 8);
    const flat = scoresOf(aVoice({ beats: BEATS, hz: sung(quarter, { slide: 0.25 }) })).melody;
    expect(flat).toBeGreaterThan(10);
    expect(flat).toBeLessThan(40);
  });

  it('hears a pause in the wrong place, and words of equal length', () => {
    const { rhythm } = scoresOf(
      aVoice({ beats: BEATS.map((beat, at) => (at === 1 ? 1_400 : beat)), hz: sung(MELODY) }),
    );
    expect(rhythm).toBeLessThan(60);
    expect(scoresOf(aVoice({ beats: BEATS.map(() => 400), hz: sung(MELODY) })).rhythm).toBeLessThan(40);
  });

  it('does not accept a flat voice as a model', () => {
    const flat = aVoice({ beats: BEATS, hz: sung(MELODY.map(() => 0)) });
    const { melody: tune, rhythm } = compareVoices(flat, model);
    const refused = { score: null, whyNot: 'model_flat' };
    expect([tune, rhythm]).toEqual([refused, refused]);
  });

  it('needs five words that both said, and a recording that was scored', () => {
    const short = aVoice({ beats: BEATS, hz: sung(MELODY), omitted: new Set([1, 3, 5]) });
    expect(compareVoices(model, short).rhythm.whyNot).toBe('too_short');
    const refused = { ...model, unusable: { reason: 'noisy', hint: 'Noise.' } } as const;
    expect(compareVoices(model, refused).melody.whyNot).toBe('not_scored');
    expect(compareVoices(refused, model).melody.whyNot).toBe('model_unclear');
  });
});

describe('alignVoices', () => {
  it('starts each word at one place for both voices, at one speed', () => {
    fc.assert(
      fc.property(beats, beats, fc.subarray([0, 2, 5]), (b1, b2, omitted) => {
        const one = aVoice({ beats: b1, hz: sung(MELODY) });
        const other = aVoice({ beats: b2, hz: sung(MELODY), omitted: new Set(omitted) });
        const { words, lengthMs, ...sides } = alignVoices(one, other);
        const toAxis = (side: 'model' | 'own', ms: number): number => {
          const segment = sides[side].findLast(({ fromMs }) => fromMs <= ms);
          return (segment?.axisMs ?? Number.NaN) + ms - (segment?.fromMs ?? 0);
        };
        words.forEach((word, index) => {
          expect(word.axisMs).toBeGreaterThanOrEqual((words[index - 1]?.axisMs ?? 0) - 1e-6);
          for (const side of ['model', 'own'] as const) {
            const span = word[side];
            if (span === null) continue;
            expect(toAxis(side, span.startMs)).toBeCloseTo(word.axisMs, 5);
            expect(toAxis(side, span.endMs)).toBeLessThanOrEqual(word.axisMs + word.lengthMs + 1e-6);
          }
        });
        for (const side of ['model', 'own'] as const)
          sides[side].forEach((segment, index) => {
            const next = sides[side][index + 1];
            // No part of the audio is left out or shown twice, and no parts overlap.
            if (next !== undefined) {
              expect(next.fromMs).toBe(segment.toMs);
              expect(segment.axisMs + segment.toMs - segment.fromMs).toBeLessThanOrEqual(next.axisMs + 1e-6);
            }
          });
        expect(words.at(-1)).toBeDefined();
        expect(lengthMs).toBeGreaterThan(0);
      }),
    );
  });

  it('shows the model alone before the first recording', () => {
    const { own, model: shown, words } = alignVoices(model, null);
    expect(own).toEqual([]);
    expect(shown).toHaveLength(BEATS.length);
    expect(words.every((word) => word.own === null && word.model !== null)).toBe(true);
  });

  it('pairs words by their text where one side counts them differently', () => {
    const named = (...names: string[]): WordAssessment[] =>
      names.map((word, at) => ({ word, startMs: at, endMs: at + 1, accuracy: 90, error: 'None', phonemes: [] }));
    const pairs = pairWords(named('We', 'will', 'not', 'go'), named('we', 'go', 'home'));
    expect(pairs.map((pair) => [pair.model?.word ?? null, pair.own?.word ?? null])).toEqual([
      ['We', 'we'],
      ['will', null],
      ['not', null],
      ['go', 'go'],
      [null, 'home'],
    ]);
  });
});
