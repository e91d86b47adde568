/**
 * The shared part of understanding free answers. It ships with the app, so that the coach understands answers offline.
 */
import acts from './generated/shared-acts.json' with { type: 'json' };

export interface SharedUnderstanding {
  /** Acts of any practice, such as a request to repeat: the learner's phrasings and the coach's replies. */
  asks: Readonly<Record<string, { replies: readonly string[]; examples: readonly string[] }>>;
  /** Sentences that answer nothing in any practice. */
  off: readonly string[];
}

export const loadSharedUnderstanding = (): SharedUnderstanding => acts;
