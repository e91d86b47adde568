import { describe, expect, it } from 'vitest';
import { Assessment } from './assessment.ts';
import { PackedAssessment, packAssessment, unpackAssessment } from './packed-assessment.ts';

const SOUNDS = ['h', 'ə', 'l', 'oʊ', 'd', 'ɪ', 'v', 'ɚ', 's', 't', 'ŋ', 'k', 'æ', 'p', 'n'];
const WORD_MS = 380;

/**
 * Fluent speech: 45 words with 3 or 4 phonemes each in 17 seconds, every eighth phoneme with two rivals, voiced for two thirds of the time.
 */
function seventeenSeconds(): Assessment {
  const words = Array.from({ length: 45 }, (_, at) => {
    const startMs = at * WORD_MS;
    const count = 3 + (at % 2);
    const phonemes = Array.from({ length: count }, (_sound, index) => ({
      phoneme: SOUNDS[(at * 3 + index) % SOUNDS.length] ?? 'h',
      startMs: startMs + index * 90,
      endMs: startMs + (index + 1) * 90,
      accuracy: ((at * 37 + index * 11) % 201) / 2,
      ...((at + index) % 8 === 0
        ? {
            heardAs: [
              { phoneme: 's', likelihood: 0.7 },
              { phoneme: 'z', likelihood: 0.2 },
            ],
          }
        : {}),
    }));
    return {
      word: `word${at}`,
      startMs,
      endMs: startMs + count * 90,
      accuracy: at % 9 === 0 ? null : ((at * 53) % 1_000) / 10,
      error: at % 5 === 0 ? ('Mispronunciation' as const) : ('None' as const),
      phonemes,
    };
  });
  const pitch = Array.from({ length: 850 }, (_, index) => ({
    ms: index * 20,
    hz: 180 + 40 * Math.sin(index / 9),
  })).filter(({ ms }) => ms % 600 < 400);
  return {
    source: 'device',
    durationMs: 17_000,
    snrDb: 21.4,
    accuracy: 71.3,
    fluency: 88,
    prosody: null,
    completeness: null,
    pron: 74.9,
    words,
    pitch,
    pauses: [{ startMs: 2_100, endMs: 2_700 }],
  };
}

describe('packed assessment', () => {
  it('keeps scores, words, times and phonemes', () => {
    const assessment = seventeenSeconds();
    const { pitch, ...rest } = unpackAssessment(packAssessment(assessment));
    const { pitch: _pitch, ...expected } = assessment;
    expect(rest).toEqual(expected);
    expect(pitch.length).toBeGreaterThan(180);
  });

  it('keeps pitch within a quarter of a semitone', () => {
    const assessment = seventeenSeconds();
    const byMs = new Map(assessment.pitch.map(({ ms, hz }) => [ms, hz]));
    for (const { ms, hz } of unpackAssessment(packAssessment(assessment)).pitch)
      expect(Math.abs(12 * Math.log2(hz / (byMs.get(ms) ?? 0)))).toBeLessThan(0.3);
  });

  it('is stable when packed again', () => {
    const packed = packAssessment(seventeenSeconds());
    expect(packAssessment(unpackAssessment(packed))).toEqual(packed);
  });

  it('rounds finer measurements', () => {
    const [word] = seventeenSeconds().words;
    if (word === undefined) throw new Error('no word');
    const fine = { ...seventeenSeconds(), durationMs: 16_999.6, words: [{ ...word, startMs: 3.2, endMs: 271.9 }] };
    expect(unpackAssessment(packAssessment(fine))).toMatchObject({
      durationMs: 17_000,
      words: [{ startMs: 0, endMs: 270 }],
    });
  });

  it('takes under 2 kB for 17 seconds of fluent speech', () => {
    const assessment = seventeenSeconds();
    expect(JSON.stringify(packAssessment(assessment)).length).toBeLessThan(2_048);
    expect(JSON.stringify(assessment).length).toBeGreaterThan(28_000);
  });

  it('packs an empty assessment', () => {
    const silent: Assessment = {
      ...seventeenSeconds(),
      words: [],
      pitch: [],
      pauses: [],
      snrDb: null,
      unusable: { reason: 'silent', hint: 'Say it again.' },
    };
    expect(unpackAssessment(PackedAssessment.parse(packAssessment(silent)))).toEqual(silent);
  });

  it('keeps the first characters and sounds of a very long word', () => {
    const [word] = seventeenSeconds().words;
    const [phoneme] = word?.phonemes ?? [];
    if (word === undefined || phoneme === undefined) throw new Error('no word to lengthen');
    const long = { ...word, word: '4'.repeat(100), phonemes: Array.from({ length: 91 }, () => phoneme) };
    const packed = packAssessment({ ...seventeenSeconds(), words: [long] });
    const [read] = unpackAssessment(packed).words;
    expect([read?.word.length, read?.phonemes.length]).toEqual([80, 80]);
    // An older app stored the rest as well.
    expect(Assessment.parse({ ...seventeenSeconds(), words: [long] }).words[0]?.phonemes).toHaveLength(80);
  });

  it.each(['', 'AAAA', '////////', 'not base64!'])('terminates on invalid input %j', (sounds) => {
    const packed = { ...packAssessment(seventeenSeconds()), sounds };
    try {
      expect(Assessment.safeParse(unpackAssessment(packed)).success).toBe(true);
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
  });
});
