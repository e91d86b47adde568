/** Draws a packed assessment, as the row of a turn stores it. */
import { packAssessment, type PackedAssessment } from '@parley/domain';
import type { Random } from '../seeded-random.ts';

const SOUNDS = ['h', 'ə', 'l', 'oʊ', 'd', 's', 'z', 'θ', 'ð', 'ŋ'] as const;
const WORD_MS = 400;
const SOUND_MS = 90;

export function drawAssessment(random: Random, wordCount: number): PackedAssessment {
  const score = (): number | null => (random.happens(0.1) ? null : random.int(0, 1_000) / 10);
  const words = Array.from({ length: wordCount }, (_, index) => {
    const startMs = index * WORD_MS + random.int(0, 4) * 10;
    const count = random.int(1, 4);
    const phonemes = Array.from({ length: count }, (_sound, at) => ({
      phoneme: random.pick(SOUNDS),
      startMs: startMs + at * SOUND_MS,
      endMs: startMs + (at + 1) * SOUND_MS,
      accuracy: random.happens(0.1) ? null : random.int(0, 200) / 2,
      ...(random.happens(0.2)
        ? { heardAs: [{ phoneme: random.pick(SOUNDS), likelihood: random.int(0, 100) / 100 }] }
        : {}),
    }));
    return {
      word: `word${random.int(0, 999)}`,
      startMs,
      endMs: startMs + count * SOUND_MS,
      accuracy: score(),
      error: random.pick(['None', 'None', 'Mispronunciation', 'Insertion'] as const),
      phonemes,
    };
  });
  return packAssessment({
    source: random.pick(['azure', 'device']),
    durationMs: wordCount * WORD_MS,
    snrDb: random.int(0, 400) / 10,
    accuracy: score(),
    fluency: score(),
    prosody: score(),
    completeness: score(),
    pron: score(),
    words,
    pitch: Array.from({ length: random.int(0, 40) }, (_, index) => ({ ms: index * 60, hz: random.int(80, 300) })),
    pauses: [{ startMs: 100, endMs: 300 }],
  });
}
