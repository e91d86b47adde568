/** Lines of a node with which the coach helps a learner who has not answered. */
import type { DialogueNode, PracticeDifficulty } from '@parley/domain';

export const rephrased = ({ rephrase, say }: DialogueNode, misses: number): string =>
  rephrase[misses % Math.max(1, rephrase.length)] ?? say.easy;

export const exampleReply = ({ replies }: DialogueNode, difficulty: PracticeDifficulty): string =>
  replies[difficulty][0]?.text ?? '';
