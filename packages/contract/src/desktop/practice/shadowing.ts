/** Shadowing: the learner speaks after a model voice, and both are compared word by word. */
import { Assessment, CoachVoice } from '@parley/domain';
import { z } from 'zod';
import { base } from '../base.ts';

/** The bundled voice of models and of single words. */
export const MODEL_VOICE: CoachVoice = { gender: 'female', locale: 'en-US', rate: 1, pitch: 1 };

/** Longer texts are split into sentences first. */
export const MAX_SHADOWING_CHARACTERS: number = 600;

const ShadowingText = z.string().trim().min(1).max(MAX_SHADOWING_CHARACTERS);

/** The same measurements as for a learner, of the bundled voice. `voice.speak` returns the sound itself. */
export const ShadowingModel = Assessment.pick({
  durationMs: true,
  words: true,
  pitch: true,
  pauses: true,
  unusable: true,
});
export type ShadowingModel = z.infer<typeof ShadowingModel>;

export const shadowingContract = {
  /** Measures the model voice for a text. Works offline. */
  model: base.input(z.object({ text: ShadowingText, voice: CoachVoice })).output(ShadowingModel),
};
