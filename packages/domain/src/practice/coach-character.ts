/** A coach's character: the phrases and the voice that it uses in any practice. */
import { z } from 'zod';

const Phrases = z.array(z.string().min(1).max(160)).min(2).max(12);

export const CoachManner = z.object({
  /** Said before the next line when the reply was recognised. */
  acknowledge: Phrases,
  /** Said when a reply proved an objective. */
  praise: Phrases,
  /** Said before a rephrased line when the reply was not recognised. */
  reassure: Phrases,
  /** Said at the end of the conversation. */
  goodbye: Phrases,
});
export type CoachManner = z.infer<typeof CoachManner>;

export const CoachVoice = z.object({
  gender: z.enum(['female', 'male']),
  /** A BCP 47 tag such as `en-GB`; system voices with this locale are preferred. */
  locale: z.string().regex(/^en(-[A-Z]{2})?$/),
  /** 1 is the voice's normal speed. */
  rate: z.number().min(0.5).max(1.5),
  /** 1 is the voice's normal pitch. */
  pitch: z.number().min(0.5).max(1.5),
});
export type CoachVoice = z.infer<typeof CoachVoice>;
