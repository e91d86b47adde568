/** What the coach of a scene asks about a learner's turn. */
import type { Trainable } from '../classification/training.ts';
import type { ProvableWords } from '../rules/evasions.ts';
import type { NearestAct } from './look-around.ts';
import type { Anticipated, Meaning } from './meaning.ts';

export interface SceneReader {
  /** The evidence that `understand` weighs, for training. */
  evidence: (node: string, text: string) => number[];
  /** Interprets a turn at this node. */
  understand: (node: string, text: string) => Meaning;
  /** Returns an intent of a later node when a clause clearly expresses it. */
  anticipate: (node: string, text: string) => Anticipated | null;
  /** The question about the scene, or to the coach, that a sentence is most like. */
  actOf: (node: string, question: string) => NearestAct;
  /** Whether the coach has invited questions at this node. */
  invitesQuestions: (node: string) => boolean;
  /** The part of a turn at this node that may prove this objective. */
  provableWords: (node: string, objective: string, text: string) => ProvableWords;
  /**
   * The models that an answer at this node needs, its own first, because the turn may answer other questions as well.
   * Training one takes about 30 milliseconds on one core.
   */
  modelsAt: (node: string) => Trainable<unknown>[];
}
