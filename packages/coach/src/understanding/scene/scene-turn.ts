/** The input and the output of a scene coach for one turn. */
import type { PracticeDifficulty } from '@parley/domain';

export interface SceneTurn {
  /** The current node. */
  node: string;
  difficulty: PracticeDifficulty;
  said: string;
  /** The learner's earlier texts. */
  memory?: SceneMemory;
  /** The coach's last line, which is not said again word for word. */
  lastLine?: string | undefined;
}

export interface SceneMemory {
  /** Facts that are known, so that the coach does not ask for them. */
  knownFacts: ReadonlySet<string>;
  /** Turns at this node that were not an answer: all of them, and those that were off topic. */
  turnsAtNode: number;
  offTopicTurns: number;
}

export const EMPTY_MEMORY: SceneMemory = { knownFacts: new Set(), turnsAtNode: 0, offTopicTurns: 0 };

export interface SceneAnswer {
  /** The next node; null when the coach stays at this one. */
  reply: string | null;
  kind: 'intent' | 'bridge' | 'asks' | 'off';
  /** Keys of the objectives that the turn proves. */
  objectives: string[];
  /** The learner's words that prove them. */
  proofs: SceneProof[];
  coach: string;
  hasEnded: boolean;
  memory: SceneMemory;
}

export interface SceneProof {
  objective: string;
  words: string;
}

/** An earlier answer of the learner, as a session keeps it. */
export interface EarlierAnswer {
  /** The node at which the learner spoke, and the node of the coach's next line; null for lines of a language model. */
  node: string | null;
  next: string | null;
  said: string;
  /** False for off-topic turns. */
  fitted: boolean;
}

export interface SceneCoach {
  open: (difficulty: PracticeDifficulty) => string;
  answer: (turn: SceneTurn) => SceneAnswer;
  /** The line of a node. */
  ask: (node: string, difficulty: PracticeDifficulty) => string;
  /** Derives the memory from a session's turns, so that it is the same after a restart and on another device. */
  recall: (earlier: readonly EarlierAnswer[]) => SceneMemory;
}
