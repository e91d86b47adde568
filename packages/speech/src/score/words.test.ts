import { describe, expect, it } from 'vitest';
import type { Hearing } from '../acoustic/acoustic-model.ts';
import { quietCuts } from '../acoustic/acoustic-model.ts';
import type { Alignment } from '../align/align.ts';
import { OUTPUTS, outputOf } from '../pronounce/phones.ts';
import { MEL_BANDS } from '../signal/log-mel.ts';
import { breakBefore, withBreaks } from './breaks.ts';
import { isMonotone, pitchSpan } from './monotone.ts';
import { splitIntoPieces } from './pieces.ts';
import { mergePieces, type PieceScores } from './score-piece.ts';

describe('a pause', () => {
  it.each([
    [500, 'none', 'UnexpectedBreak'],
    [200, 'none', null],
    [500, 'may', null],
    [20, 'may', null],
    [500, 'should', null],
    [20, 'should', 'MissingBreak'],
  ] as const)('of %d ms where the text says "%s" is %s', (ms, asked, expected) => {
    expect(breakBefore({ ms, asked })).toBe(expected);
  });
});

describe('the pauses of an assessment', () => {
  const word = (startMs: number, endMs: number, error: 'None' | 'UnexpectedBreak') => ({
    word: 'w',
    startMs,
    endMs,
    accuracy: 90,
    error,
    phonemes: [{ phoneme: 's', startMs, endMs, accuracy: 90 }],
  });
  const words = [word(0, 400, 'None'), word(900, 1_200, 'UnexpectedBreak')];

  it('hold every break that a word is marked with, once', () => {
    expect(withBreaks([], words)).toEqual([{ startMs: 400, endMs: 900 }]);
    expect(withBreaks([{ startMs: 420, endMs: 860 }], words)).toEqual([{ startMs: 420, endMs: 860 }]);
    expect(withBreaks([], [word(0, 400, 'None'), word(900, 1_200, 'None')])).toEqual([]);
  });
});

describe('a melody', () => {
  const voice = (semitones: number) =>
    Array.from({ length: 100 }, (_, at) => ({ ms: at * 20, hz: 150 * 2 ** ((semitones * Math.sin(at / 8)) / 24) }));

  it('is flat when it spans less than two semitones, and says nothing of a few words', () => {
    expect(pitchSpan(voice(6))).toBeGreaterThan(4);
    expect(isMonotone(voice(1), 8)).toBe(true);
    expect(isMonotone(voice(6), 8)).toBe(false);
    expect(isMonotone(voice(1), 3)).toBe(false);
    expect(isMonotone(voice(1).slice(0, 20), 8)).toBe(false);
  });

  it('is as flat in a high voice as in a low one', () => {
    const high = voice(3).map(({ ms, hz }) => ({ ms, hz: hz * 2 }));
    expect(pitchSpan(high)).toBeCloseTo(pitchSpan(voice(3)) ?? 0, 5);
  });
});

/** `frames` of 20 ms in which words of one phone sound for ten frames each, at the given starts. */
function spoken(starts: readonly number[], frames: number): { hearing: Hearing; alignment: Alignment } {
  const empty = { frames, outputs: OUTPUTS, logProbs: new Float32Array(frames * OUTPUTS) };
  const output = outputOf('S') ?? 0;
  return {
    hearing: { frames, sounds: empty, networks: [] },
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

describe('a passage', () => {
  const starts = Array.from({ length: 120 }, (_, at) => at * 40 + Math.floor(at / 9) * 60);
  const frames = (starts.at(-1) ?? 0) + 50;
  const mel = { frames: frames * 2, values: new Float32Array(frames * 2 * MEL_BANDS) };
  const silent = starts.map(() => ({ pauseAfter: 'none' as const }));
  const pieces = splitIntoPieces({ ...spoken(starts, frames), mel }, silent);

  it('is cut at its longest pauses, and no word is lost, doubled or moved', () => {
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.flatMap(({ alignment }) => alignment.words.map(({ word }) => word))).toEqual(
      starts.map((_, word) => word),
    );
    for (const { alignment, hearing, mel: part } of pieces) {
      expect(hearing.frames).toBeLessThanOrEqual(640);
      expect(part.frames).toBe(hearing.frames * 2);
      expect((alignment.words[0]?.word ?? 1) % 9).toBe(0);
      for (const { phones } of alignment.words) {
        expect(phones[0]?.firstFrame).toBeGreaterThanOrEqual(0);
        expect(phones[0]?.lastFrame).toBeLessThan(hearing.frames);
      }
    }
  });

  it('of a few seconds is one piece', () => {
    const short = { ...spoken([10, 60, 400], 480), mel: { frames: 960, values: new Float32Array(960 * MEL_BANDS) } };
    expect(splitIntoPieces(short, silent)).toEqual([short]);
  });

  it('is cut where a sentence ends and the voice rests, but not into scraps', () => {
    const pauses = new Map([
      [3, 'should'],
      [7, 'should'],
      [9, 'should'],
    ] as const);
    const at = [0, 20, 40, 60, 110, 130, 150, 170, 180, 200, 250, 270];
    const asked = at.map((_, index) => ({ pauseAfter: pauses.get(index as 3) ?? ('none' as const) }));
    const short = { ...spoken(at, 300), mel: { frames: 600, values: new Float32Array(600 * MEL_BANDS) } };
    // The fourth word ends a sentence with a rest; the eighth with none; after the tenth too little is left.
    expect(splitIntoPieces(short, asked).map(({ alignment }) => alignment.words.length)).toEqual([4, 8]);
  });

  it('is heard in pieces that end where it is quiet', () => {
    const values = new Float32Array(5_000 * MEL_BANDS).fill(1);
    values.fill(-5, 1_700 * MEL_BANDS, 1_740 * MEL_BANDS);
    const cuts = quietCuts({ frames: 5_000, values });
    expect(cuts[0]?.to).toBeGreaterThanOrEqual(1_700);
    expect(cuts[0]?.to).toBeLessThanOrEqual(1_740);
    expect(cuts.map(({ from }) => from)).toEqual([0, ...cuts.slice(0, -1).map(({ to }) => to)]);
    expect(cuts.at(-1)?.to).toBe(5_000);
    for (const { from, to } of cuts.slice(0, -1)) expect((to - from) % 2).toBe(0);
  });

  it('weighs accuracy and prosody by words, fluency by time; short pieces say nothing of prosody', () => {
    const score = (value: number, phones: number): PieceScores => ({
      phones: Array.from({ length: phones }, () => 1),
      exchanged: Array.from({ length: phones }, () => 0),
      words: Array.from({ length: phones }, () => value),
      accuracy: value,
      fluency: value,
      prosody: value,
    });
    const long = { words: spoken([0, 20, 40, 60, 80, 290], 300).alignment.words, scores: score(8, 6) };
    const short = { words: spoken([0, 90], 100).alignment.words, scores: score(4, 2) };
    const merged = mergePieces([long, short], { minWordsForProsody: 5 });
    expect(merged.accuracy).toBeCloseTo((8 * 6 + 4 * 2) / 8);
    expect(merged.fluency).toBeCloseTo((8 * 300 + 4 * 100) / 400);
    expect(merged.prosody).toBe(8);
    expect(merged.words).toEqual([8, 8, 8, 8, 8, 8, 4, 4]);
    expect(mergePieces([short], { minWordsForProsody: 5 }).prosody).toBeNull();
  });
});
