/** Compares learners with the model voice of shadowing, and with the experts' scores of the same recordings. */
import { compareVoices, modelFault } from '@parley/domain';
import { createScorer, parseWav } from '@parley/speech';
import { pearson } from '@parley/speech/evaluate';
import { createVoice } from '../../../desktop/src/host/voice/index.ts';
import type { Recording } from './read-recordings.ts';

export interface ShadowingFigures {
  recordings: number;
  /** Sentences for which the voice was too flat to be a model. */
  flatModels: number;
  /** Correlations with the experts' prosody. */
  melodyPcc: number;
  rhythmPcc: number;
  /** Quartiles of the scores. */
  melody: readonly number[];
  rhythm: readonly number[];
}

const VOICE = { gender: 'female', locale: 'en-US', rate: 1, pitch: 1 } as const;
const MIN_WORDS = 6;

export async function measureShadowing(recordings: readonly Recording[]): Promise<ShadowingFigures> {
  const scorer = await createScorer();
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const noCoach = {
    synthesise: () => {
      throw new Error('offline');
    },
  };
  const voice = createVoice({ logger: silent, coach: noCoach });
  const compared: { melody: number; rhythm: number; prosody: number }[] = [];
  let flatModels = 0;
  for (const { pcm, text, prosody } of recordings.filter((each) => each.text.split(' ').length >= MIN_WORDS)) {
    const spoken = await voice.speak({ text: text.toLowerCase(), voice: VOICE, rate: 1 });
    const sound = spoken.ok ? parseWav(spoken.value) : null;
    if (sound === null || !sound.ok) continue;
    const model = await scorer.assess({ pcm: sound.value.pcm, text: text.toLowerCase() });
    if (modelFault(model) === 'model_flat') flatModels += 1;
    const { melody, rhythm } = compareVoices(model, await scorer.assess({ pcm, text: text.toLowerCase() }));
    if (melody.score !== null && rhythm.score !== null)
      compared.push({ melody: melody.score, rhythm: rhythm.score, prosody });
  }
  await voice.close();
  const pick = (name: 'melody' | 'rhythm' | 'prosody'): number[] => compared.map((each) => each[name]);
  return {
    recordings: compared.length,
    flatModels,
    melodyPcc: pearson(pick('melody'), pick('prosody')),
    rhythmPcc: pearson(pick('rhythm'), pick('prosody')),
    melody: quartiles(pick('melody')),
    rhythm: quartiles(pick('rhythm')),
  };
}

function quartiles(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return [0.25, 0.5, 0.75].map((share) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
}
