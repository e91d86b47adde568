/** How far the scores of one utterance move when only the room, the microphone or the line changes. */
import type { Assessment } from '@parley/domain';
import { createScorer, type Scorer } from '@parley/speech';
import { type Disturb, gain, noisy, opus, padded, telephone } from '@parley/speech/evaluate';
import type { Recording } from './recordings.ts';

export const DISTURBANCES: readonly [name: string, disturb: Disturb][] = [
  ['6 dB quieter', gain(-6)],
  ['12 dB quieter', gain(-12)],
  ['20 dB quieter', gain(-20)],
  ['noise 20 dB below', noisy(20)],
  ['telephone band', telephone],
  ['Opus at 24 kbit/s', opus(24)],
  ['0.5 s of silence around', padded(500)],
];

const STEADY_WITHIN = 5;
const DIMENSIONS = ['accuracy', 'fluency', 'prosody', 'pron'] as const;

export interface Stability {
  name: string;
  /** Share of sentence scores that move by less than five points. A score that appears or vanishes has moved. */
  steadyShare: number;
  /** Points by which the middle score and the one of twenty that moves most move. */
  medianMove: number;
  worstOfTwenty: number;
}

export async function measureStability(recordings: readonly Recording[]): Promise<Stability[]> {
  const scorer = await createScorer();
  const plain = await assessAll(scorer, recordings, (pcm) => pcm);
  const results: Stability[] = [];
  for (const [name, disturb] of DISTURBANCES) {
    const disturbed = await assessAll(scorer, recordings, disturb);
    const moves = plain.flatMap((before, index) => movesBetween(before, disturbed[index])).toSorted((a, b) => a - b);
    const at = (share: number): number => moves[Math.min(moves.length - 1, Math.floor(moves.length * share))] ?? 0;
    results.push({
      name,
      steadyShare: moves.filter((move) => move < STEADY_WITHIN).length / Math.max(1, moves.length),
      medianMove: at(0.5),
      worstOfTwenty: at(0.95),
    });
  }
  await scorer.close();
  return results;
}

async function assessAll(scorer: Scorer, recordings: readonly Recording[], disturb: Disturb): Promise<Assessment[]> {
  const assessments: Assessment[] = [];
  for (const { pcm, text } of recordings) assessments.push(await scorer.assess({ pcm: await disturb(pcm), text }));
  return assessments;
}

function movesBetween(before: Assessment, after: Assessment | undefined): number[] {
  // What was refused already has no score that could move.
  if (before.unusable !== undefined) return [];
  return DIMENSIONS.flatMap((name) => {
    const [was, is] = [before[name], after?.[name] ?? null];
    if (was === null && is === null) return [];
    return [was === null || is === null ? 100 : Math.abs(was - is)];
  });
}
