/** How a coach sounds: the phrases and the voice with which a character colours any practice. */
import { z } from 'zod';

const Phrases = z.array(z.string().min(1).max(160)).min(2).max(12);

export const CoachManner = z.object({
  /** Said before the next line when a reply fitted. */
  acknowledge: Phrases,
  /** Said when a reply proved an objective. */
  praise: Phrases,
  /** Said before a rephrased line when nothing fitted. */
  reassure: Phrases,
  /** Said last. */
  goodbye: Phrases,
});
export type CoachManner = z.infer<typeof CoachManner>;

export const CoachVoice = z.object({
  gender: z.enum(['female', 'male']),
  /** BCP 47, such as `en-GB`: preferred among the system's voices. */
  locale: z.string().regex(/^en(-[A-Z]{2})?$/),
  /** 1 is the voice's own speed. */
  rate: z.number().min(0.5).max(1.5),
  /** 1 is the voice's own pitch. */
  pitch: z.number().min(0.5).max(1.5),
});
export type CoachVoice = z.infer<typeof CoachVoice>;
