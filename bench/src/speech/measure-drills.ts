/**
 * Measures the drills of minimal pairs: each word of each pair is said, and the drill decides which of the two it was.
 */
import { DRILLS } from '@parley/catalogue/drills';
import { createScorer } from '@parley/speech';
import type { SyntheticVoice } from './voices.ts';

export interface DrillFigures {
  voice: string;
  said: number;
  /** Shares: recognised correctly, recognised wrongly, and refused as unusable. */
  right: number;
  wrong: number;
  refused: number;
}

/** The pairs that the app offers, each once although it can be practised both ways. */
const pairs = (): (readonly [string, string])[] =>
  DRILLS.flatMap(({ text, other }) => (other === null || text > other ? [] : [[text, other] as const]));

export async function measureDrills(voices: readonly SyntheticVoice[]): Promise<DrillFigures[]> {
  const scorer = await createScorer();
  const figures: DrillFigures[] = [];
  for (const { name, say } of voices) {
    const tally = { said: 0, right: 0, wrong: 0, refused: 0 };
    for (const [text, other] of pairs())
      for (const word of [text, other]) {
        const pcm = await say(word);
        tally.said += 1;
        const { unusable } = await scorer.assess({ pcm, text, other });
        if (unusable !== undefined) {
          tally.refused += 1;
          continue;
        }
        const heard = await scorer.compare({ pcm, text, other });
        if (heard === null) continue;
        tally[(heard === 'text') === (word === text) ? 'right' : 'wrong'] += 1;
      }
    const of = (count: number): number => count / Math.max(1, tally.said);
    figures.push({
      voice: name,
      said: tally.said,
      right: of(tally.right),
      wrong: of(tally.wrong),
      refused: of(tally.refused),
    });
  }
  await scorer.close();
  return figures;
}
