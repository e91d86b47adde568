import { pitchSpan } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import type { AcousticOutput } from '../acoustic/acoustic-model.ts';
import { splitAtQuietPoints } from '../acoustic/acoustic-model.ts';
import type { Alignment } from '../align/align.ts';
import { OUTPUTS, outputOf } from '../pronounce/phones.ts';
import { MEL_BANDS } from '../signal/log-mel.ts';
import { classifyBreak, mergeBreaks } from './breaks.ts';
import { isMonotone, prosodyLostToFlatPitch } from './monotone.ts';
import { splitIntoSegments } from './segments.ts';
import { mergeSegments, type SegmentScores } from './score-segment.ts';

describe('classifyBreak', () => {
  it.each([
    [320, 'none', 'UnexpectedBreak'],
    [319, 'none', null],
    [500, 'may', null],
    [20, 'may', null],
    [120, 'should', null],
    [119, 'should', 'MissingBreak'],
  ] as const)('treats %d ms where the text suggests "%s" as %s', (ms, asked, expected) => {
    expect(classifyBreak({ ms, asked })).toBe(expected);
  });
});

describe('mergeBreaks', () => {
  const word = (startMs: number, endMs: number, error: 'None' | 'UnexpectedBreak') => ({
    word: 'w',
    startMs,
    endMs,
    accuracy: 90,
    error,
    phonemes: [{ phoneme: 's', startMs, endMs, accuracy: 90 }],
  });
  const words = [word(0, 400, 'None'), word(900, 1_200, 'UnexpectedBreak')];

  it('includes every break marked on a word, once', () => {
    expect(mergeBreaks([], words)).toEqual([{ startMs: 400, endMs: 900 }]);
    expect(mergeBreaks([{ startMs: 420, endMs: 860 }], words)).toEqual([{ startMs: 420, endMs: 860 }]);
    expect(mergeBreaks([], [word(0, 400, 'None'), word(900, 1_200, 'None')])).toEqual([]);
  });
});

describe('isMonotone', () => {
  const voice = (semitones: number) =>
    Array.from({ length: 100 }, (_, at) => ({ ms: at * 20, hz: 150 * 2 ** ((semitones * Math.sin(at / 8)) / 24) }));

  it('is true under two semitones, and false for a few words', () => {
    expect(pitchSpan(voice(6))).toBeGreaterThan(4);
    expect(isMonotone(voice(1), 8)).toBe(true);
    expect(isMonotone(voice(6), 8)).toBe(false);
    expect(isMonotone(voice(1), 3)).toBe(false);
    expect(isMonotone(voice(1).slice(0, 20), 8)).toBe(false);
  });

  it('costs prosody in proportion to the missing melody', () => {
    const lost = [0, 1, 2, 6].map((semitones) => prosodyLostToFlatPitch(voice(semitones), 8));
    expect(lost).toEqual(lost.toSorted((a, b) => b - a));
    expect([lost[0], lost[3]]).toEqual([30, 0]);
    expect(prosodyLostToFlatPitch(voice(0), 3)).toBe(0);
  });

  it('does not depend on the height of the voice', () => {
    const high = voice(3).map(({ ms, hz }) => ({ ms, hz: hz * 2 }));
    expect(pitchSpan(high)).toBeCloseTo(pitchSpan(voice(3)) ?? 0, 5);
  });
});

/** `frames` of 20 ms with words of one phone, ten frames each, at the given starts. */
function aSpokenPassage(
  starts: readonly number[],
  frames: number,
): { acousticOutput: AcousticOutput; alignment: Alignment } {
  const empty = { frames, outputs: OUTPUTS, logProbs: new Float32Array(frames * OUTPUTS) };
  const output = outputOf('S') ?? 0;
  return {
    acousticOutput: { frames, sounds: empty, networks: [] },
    alignment: {
      insertions: [],
      words: starts.map((firstFrame, word) => ({
        word,
        pronunciation: { phones: ['S'], outputs: [output] },
        phones: [{ output, phone: 'S', firstFrame, lastFrame: firstFrame + 9 }],
      })),
    },
  };
}

describe('splitting a passage', () => {
  const starts = Array.from({ length: 120 }, (_, at) => at * 40 + Math.floor(at / 9) * 60);
  const frames = (starts.at(-1) ?? 0) + 50;
  const mel = { frames: frames * 2, values: new Float32Array(frames * 2 * MEL_BANDS) };
  const silent = starts.map(() => ({ pauseAfter: 'none' as const }));
  const pieces = splitIntoSegments({ ...aSpokenPassage(starts, frames), mel }, silent);

  it('cuts at the longest pauses without losing or moving words', () => {
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.flatMap(({ alignment }) => alignment.words.map(({ word }) => word))).toEqual(
      starts.map((_, word) => word),
    );
    for (const { alignment, acousticOutput, mel: part } of pieces) {
      expect(acousticOutput.frames).toBeLessThanOrEqual(640);
      expect(part.frames).toBe(acousticOutput.frames * 2);
      expect((alignment.words[0]?.word ?? 1) % 9).toBe(0);
      for (const { phones } of alignment.words) {
        expect(phones[0]?.firstFrame).toBeGreaterThanOrEqual(0);
        expect(phones[0]?.lastFrame).toBeLessThan(acousticOutput.frames);
      }
    }
  });

  it('keeps a few seconds in one segment', () => {
    const short = {
      ...aSpokenPassage([10, 60, 400], 480),
      mel: { frames: 960, values: new Float32Array(960 * MEL_BANDS) },
    };
    expect(splitIntoSegments(short, silent)).toEqual([short]);
  });

  it('cuts at sentence ends with a pause, but not into tiny segments', () => {
    const pauses = new Map([
      [3, 'should'],
      [7, 'should'],
      [9, 'should'],
    ] as const);
    const at = [0, 20, 40, 60, 110, 130, 150, 170, 180, 200, 250, 270];
    const asked = at.map((_, index) => ({ pauseAfter: pauses.get(index as 3) ?? ('none' as const) }));
    const short = { ...aSpokenPassage(at, 300), mel: { frames: 600, values: new Float32Array(600 * MEL_BANDS) } };
    // The fourth word ends a sentence with a pause, the eighth ends one without a pause, and too little is left after
    // the tenth.
    expect(splitIntoSegments(short, asked).map(({ alignment }) => alignment.words.length)).toEqual([4, 8]);
  });

  it('ends the acoustic model’s segments at quiet points', () => {
    const values = new Float32Array(5_000 * MEL_BANDS).fill(1);
    values.fill(-5, 1_700 * MEL_BANDS, 1_740 * MEL_BANDS);
    const cuts = splitAtQuietPoints({ frames: 5_000, values });
    expect(cuts[0]?.to).toBeGreaterThanOrEqual(1_700);
    expect(cuts[0]?.to).toBeLessThanOrEqual(1_740);
    expect(cuts.map(({ from }) => from)).toEqual([0, ...cuts.slice(0, -1).map(({ to }) => to)]);
    expect(cuts.at(-1)?.to).toBe(5_000);
    for (const { from, to } of cuts.slice(0, -1)) expect((to - from) % 2).toBe(0);
  });

  it('weighs accuracy and prosody by words and fluency by time', () => {
    const score = (value: number, phones: number): SegmentScores => ({
      phones: Array.from({ length: phones }, () => 1),
      exchanges: Array.from({ length: phones }, () => 0),
      leftOut: Array.from({ length: phones }, () => 0),
      confusedNumbers: Array.from({ length: phones }, () => 0),
      rivals: Array.from({ length: phones }, () => []),
      words: Array.from({ length: phones }, () => value),
      accuracy: value,
      fluency: value,
      prosody: value,
    });
    const long = { words: aSpokenPassage([0, 20, 40, 60, 80, 290], 300).alignment.words, scores: score(8, 6) };
    const short = { words: aSpokenPassage([0, 90], 100).alignment.words, scores: score(4, 2) };
    const merged = mergeSegments([long, short], { minWordsForProsody: 5 });
    expect(merged.accuracy).toBeCloseTo((8 * 6 + 4 * 2) / 8);
    expect(merged.fluency).toBeCloseTo((8 * 300 + 4 * 100) / 400);
    expect(merged.prosody).toBe(8);
    expect(merged.words).toEqual([8, 8, 8, 8, 8, 8, 4, 4]);
    expect(mergeSegments([short], { minWordsForProsody: 5 }).prosody).toBeNull();
  });
});
