/** The guided coach as the host uses it: position in the dialogue, next reply, hints and the review of a session. */
import {
  type GuidedScene,
  answerTurn,
  buildHints,
  openConversation,
  currentReplies,
  currentNode,
  expectedSpeech,
  handOverScene,
  takeOverScene,
} from '@parley/coach';
import type { CoachUtterance, CompletedObjective, LearnerTurn, Turn } from '@parley/domain';
import type { PracticeObjective } from '../../catalogue/index.ts';

export type { CoachUtterance };

/** Everything in a session that determines the next reply. */
export interface Scene extends GuidedScene {
  objectives: readonly PracticeObjective[];
  turns: readonly Turn[];
  completed: readonly CompletedObjective[];
}

export const firstUtterance = (scene: Scene): CoachUtterance => openConversation(scene);

/** Returns the expected replies, which the scorer ranks and the screen offers. */
export const candidateTexts = (scene: Scene): string[] => currentReplies(scene, scene.turns).map((reply) => reply.text);

/** All answers that the scene expects, for drafts of answers in the learner's own words. */
export const draftVocabulary = (scene: Scene): string[] => expectedSpeech(scene.dialogue);

/** `level` is from 1, a hint, to 3, whole sentences; others count as the nearest of these. */
export function currentHints(scene: Scene, level: number): string[] {
  const hintLevel = level <= 1 ? 1 : level === 2 ? 2 : 3;
  return buildHints(currentReplies(scene, scene.turns), hintLevel);
}

export interface GuidedTurn {
  /** The node at which the learner spoke, and whether a reply there matched. */
  learner: Pick<LearnerTurn, 'node' | 'fitted'>;
  line: CoachUtterance;
  proved: Omit<CompletedObjective, 'turnId'>[];
}

/** Matches a turn against the dialogue, finds the objectives it proves, and returns the coach's reply. */
export function takeGuidedTurn(scene: Scene, learnerTurn: Omit<LearnerTurn, 'node' | 'fitted'>): GuidedTurn {
  const node = currentNode(scene, scene.turns);
  const turn: LearnerTurn = { ...learnerTurn, node, fitted: false };
  const { line, fitted, proved } = answerTurn(
    scene,
    { turns: [...scene.turns, turn], completed: scene.completed },
    turn,
  );
  return { learner: { node, fitted }, line, proved };
}

/**
 * The guided coach's first utterance after it takes over from a language model, which may not have answered the last
 * turn.
 */
export const takeOver = (scene: Scene, pending: LearnerTurn | null): Pick<GuidedTurn, 'line' | 'proved'> =>
  takeOverScene(scene, { turns: scene.turns, completed: scene.completed }, pending);

export const handOver = (scene: Scene): CoachUtterance => handOverScene(scene, scene.turns);
