/** Shadowing: measures the model voice with the same scorer as the learner, so that both can be compared. */
import { MODEL_VOICE, type ShadowingModel } from '@parley/contract';
import { type CoachVoice, ok } from '@parley/domain';
import { parseWav } from '@parley/speech';
import type { Logger } from '../logger.ts';
import { failed, type HostResult } from '../result/index.ts';
import type { SpeechScorer } from '../scorer/index.ts';
import type { Voice } from '../voice/index.ts';

export interface Shadowing {
  model(asked: { text: string; voice: CoachVoice }): Promise<HostResult<ShadowingModel>>;
  /**
   * The sounds of a word as the model voice says it, in IPA; empty when they could not be measured, and null when the
   * word cannot be spoken.
   */
  pronounce(word: string): Promise<string | null>;
}

/** Learners repeat the same few sentences, and measuring one takes as long as scoring a learner. */
const MODELS_KEPT = 50;

export interface ShadowingParts {
  voice: Pick<Voice, 'speak'>;
  scorer: Pick<SpeechScorer, 'assess'>;
  logger: Logger;
}

export function createShadowing({ voice, scorer, logger }: ShadowingParts): Shadowing {
  const models = new Map<string, Promise<HostResult<ShadowingModel>>>();

  async function measure(asked: { text: string; voice: CoachVoice }): Promise<HostResult<ShadowingModel>> {
    const spoken = await voice.speak({ ...asked, rate: 1 });
    if (!spoken.ok) return spoken;
    const sound = parseWav(spoken.value);
    if (!sound.ok) return failed('voice.failed');
    try {
      const assessment = await scorer.assess({ pcm: sound.value.pcm, text: asked.text });
      const { durationMs, words, pitch, pauses, unusable } = assessment;
      return ok({ durationMs, words, pitch, pauses, ...(unusable === undefined ? {} : { unusable }) });
    } catch (error) {
      logger.error({ err: error }, 'model_voice_scoring_failed');
      return failed('scoring.failed');
    }
  }

  async function model(asked: { text: string; voice: CoachVoice }): Promise<HostResult<ShadowingModel>> {
    const key = JSON.stringify(asked);
    const known = models.get(key);
    if (known !== undefined) return known;
    const measured = measure(asked);
    models.set(key, measured);
    const [oldest] = models.keys();
    if (models.size > MODELS_KEPT && oldest !== undefined) models.delete(oldest);
    const result = await measured;
    // A failure is not cached, so that it can be retried.
    if (!result.ok) models.delete(key);
    return result;
  }

  return {
    model,
    async pronounce(word) {
      const measured = await model({ text: word, voice: MODEL_VOICE });
      if (!measured.ok) return '';
      const { words, unusable } = measured.value;
      // The model voice was silent, or the scorer knows no sounds.
      if (unusable?.reason === 'silent' || (words.length > 0 && words.every(({ accuracy }) => accuracy === null)))
        return null;
      return words.map(({ phonemes }) => phonemes.map(({ phoneme }) => phoneme).join('')).join(' ');
    },
  };
}
