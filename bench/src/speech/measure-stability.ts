/** Measures how far the scores of an utterance move when only the room, the microphone or the transmission changes. */
import type { Assessment } from '@parley/domain';
import { createScorer, type Scorer } from '@parley/speech';
import { type Distortion, gain, noisy, opus, padded, telephone } from '@parley/speech/evaluate';
import type { Recording } from './read-recordings.ts';

export const DISTURBANCES: readonly [name: string, disturb: Distortion][] = [
  ['6 dB quieter', gain(-6)],
  ['12 dB quieter', gain(-12)],
  ['20 dB quieter', gain(-20)],
  ['noise 20 dB below', noisy(20)],
  ['telephone band', telephone],
  ['Opus at 24 kbit/s', opus(24)],
  ['0.5 s of silence around', padded(500)],
];

const MAX_STABLE_MOVE = 5;
const DIMENSIONS = ['accuracy', 'fluency', 'prosody', 'pron'] as const;

export interface StabilityFigures {
  name: string;
  /** Share of sentence scores that move by less than five points. A score that appears or disappears counts as moved. */
  stableShare: number;
  /** Median and 95th percentile of the score movement, in points. */
  medianMove: number;
  p95Move: number;
}

export async function measureStability(recordings: readonly Recording[]): Promise<StabilityFigures[]> {
  const scorer = await createScorer();
  const undisturbed = await assessAll(scorer, recordings, (pcm) => pcm);
  const results: StabilityFigures[] = [];
  for (const [name, disturb] of DISTURBANCES) {
    const disturbed = await assessAll(scorer, recordings, disturb);
    const changes = undisturbed
      .flatMap((before, index) => scoreChanges(before, disturbed[index]))
      .toSorted((a, b) => a - b);
    const at = (share: number): number =>
      changes[Math.min(changes.length - 1, Math.floor(changes.length * share))] ?? 0;
    results.push({
      name,
      stableShare: changes.filter((move) => move < MAX_STABLE_MOVE).length / Math.max(1, changes.length),
      medianMove: at(0.5),
      p95Move: at(0.95),
    });
  }
  await scorer.close();
  return results;
}

async function assessAll(scorer: Scorer, recordings: readonly Recording[], disturb: Distortion): Promise<Assessment[]> {
  const assessments: Assessment[] = [];
  for (const { pcm, text } of recordings) assessments.push(await scorer.assess({ pcm: await disturb(pcm), text }));
  return assessments;
}

function scoreChanges(before: Assessment, after: Assessment | undefined): number[] {
  // An utterance that was rejected without a disturbance has no scores to compare.
  if (before.unusable !== undefined) return [];
  return DIMENSIONS.flatMap((name) => {
    const [was, is] = [before[name], after?.[name] ?? null];
    if (was === null && is === null) return [];
    return [was === null || is === null ? 100 : Math.abs(was - is)];
  });
}
