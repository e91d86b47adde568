/** The coach of a session as the host sees it: where in the dialogue it stands, what is said next, what it all came to. */
import {
  type GuidedScene,
  guideTurn,
  hintsFor,
  openConversation,
  repliesHere,
  type SessionToReview,
  whereCoachWaits,
  writeFeedback,
  writeSummary,
} from '@parley/coach';
import type {
  Assessment,
  CoachLine,
  CompletedObjective,
  Feedback,
  LearnerTurn,
  SessionScores,
  Turn,
} from '@parley/domain';
import type { PracticeObjective } from '../catalogue/index.ts';

export type { CoachLine };

/** Everything about a session that decides what happens next. */
export interface Scene extends GuidedScene {
  objectives: readonly PracticeObjective[];
  turns: readonly Turn[];
  completed: readonly CompletedObjective[];
}

export const firstLine = (scene: Scene): CoachLine => openConversation(scene);

/** What the learner may say here, as the scorer ranks it and the screen offers it. */
export const candidateTexts = (scene: Scene): string[] => repliesHere(scene, scene.turns).map((reply) => reply.text);

export function hintsHere(scene: Scene, level: number): string[] {
  const rung = level <= 1 ? 1 : level === 2 ? 2 : 3;
  return hintsFor(repliesHere(scene, scene.turns), rung);
}

export interface Guided {
  /** Where in the dialogue the learner spoke, and whether it had a place for what they said. */
  learner: Pick<LearnerTurn, 'node' | 'fitted'>;
  line: CoachLine;
  proved: Omit<CompletedObjective, 'turnId'>[];
}

/** Finds the learner's words in the dialogue, ticks what they prove, and lets the coach answer. */
export function guide(scene: Scene, said: Omit<LearnerTurn, 'node' | 'fitted'>): Guided {
  const node = whereCoachWaits(scene, scene.turns);
  const turn: LearnerTurn = { ...said, node, fitted: false };
  const { line, fitted, proved } = guideTurn(
    scene,
    { turns: [...scene.turns, turn], completed: scene.completed },
    turn,
  );
  return { learner: { node, fitted }, line, proved };
}

/** Three sentences and a summary, of nothing but what was measured. */
export function reviewSession(session: {
  title: string;
  turns: readonly Turn[];
  assessments: readonly Assessment[];
  scores: SessionScores;
  objectives: readonly PracticeObjective[];
  completed: readonly CompletedObjective[];
  objectivesJudged: boolean;
}): { feedback: Feedback; summary: string } {
  const done = new Set(session.completed.map(({ objectiveId }) => objectiveId));
  const learnerTurns = session.turns.filter((turn) => turn.role === 'learner');
  const toReview: SessionToReview = {
    title: session.title,
    assessments: session.assessments,
    scores: session.scores,
    objectives: session.objectives.map((one) => ({ description: one.description, done: done.has(one.objectiveId) })),
    objectivesJudged: session.objectivesJudged,
    learnerTurns: learnerTurns.length,
    hintedTurns: learnerTurns.filter((turn) => turn.hintLevel > 0).length,
  };
  return { feedback: writeFeedback(toReview), summary: writeSummary(toReview) };
}
