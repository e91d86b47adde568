/** The coach of a session as the host sees it: where in the dialogue it stands, what is said next, what it all came to. */
import {
  answer,
  candidateReplies,
  type GuidedScene,
  hintsFor,
  matchTypedReply,
  openConversation,
  proveObjectives,
  type SessionToReview,
  writeFeedback,
  writeSummary,
} from '@parley/coach';
import type {
  Assessment,
  CoachLine,
  CompletedObjective,
  DialogueReply,
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

/** Where the coach waits: the node of its last line. */
const nodeOf = (scene: Scene): string =>
  scene.turns.findLast((turn) => turn.role === 'coach')?.node ?? scene.dialogue.start;

const repliesHere = (scene: Scene): readonly DialogueReply[] =>
  candidateReplies({ dialogue: scene.dialogue, node: nodeOf(scene), difficulty: scene.difficulty });

/** What the learner may say here, as the scorer ranks it and the screen offers it. */
export const candidateTexts = (scene: Scene): string[] => repliesHere(scene).map((reply) => reply.text);

export function hintsHere(scene: Scene, level: number): string[] {
  const rung = level <= 1 ? 1 : level === 2 ? 2 : 3;
  return hintsFor(repliesHere(scene), rung);
}

export interface Guided {
  /** Where in the dialogue the learner spoke, and whether it had a place for what they said. */
  learner: Pick<LearnerTurn, 'node' | 'fitted'>;
  line: CoachLine;
  proved: Omit<CompletedObjective, 'turnId'>[];
}

/** Finds the learner's words in the dialogue, ticks what they prove, and lets the coach answer. */
export function guide(scene: Scene, said: { text: string; assessment: Assessment | null }): Guided {
  const node = nodeOf(scene);
  const replies = repliesHere(scene);
  const reply =
    replies.find((candidate) => candidate.text === said.text) ??
    matchTypedReply({ text: said.text, candidates: replies })?.reply ??
    null;
  const proved = reply === null ? [] : provedBy(scene, { ...said, reply });
  const learnerTurns = scene.turns.filter((turn) => turn.role === 'learner');
  const missesBefore =
    learnerTurns.length - 1 - learnerTurns.findLastIndex((turn) => turn.fitted || turn.node !== node);
  const line = answer(scene, {
    node,
    reply,
    provedObjective: proved.length > 0,
    misses: reply === null ? missesBefore + 1 : 0,
    turnCount: learnerTurns.length + 1,
  });
  return { learner: { node, fitted: reply !== null }, line, proved };
}

function provedBy(
  scene: Scene,
  said: { text: string; assessment: Assessment | null; reply: DialogueReply },
): Guided['proved'] {
  const done = new Set(scene.completed.map(({ objectiveId }) => objectiveId));
  const idByKey = new Map(scene.objectives.map(({ key, objectiveId }) => [key, objectiveId]));
  const already = new Set<string>(scene.objectives.filter((one) => done.has(one.objectiveId)).map(({ key }) => key));
  return proveObjectives({ ...said, already }).flatMap(({ objective, words }) => {
    const objectiveId = idByKey.get(objective);
    return objectiveId === undefined ? [] : [{ objectiveId, words }];
  });
}

/** Three sentences and a summary, of nothing but what was measured. */
export function reviewSession(session: {
  title: string;
  turns: readonly Turn[];
  assessments: readonly Assessment[];
  scores: SessionScores;
  objectives: readonly PracticeObjective[];
  completed: readonly CompletedObjective[];
}): { feedback: Feedback; summary: string } {
  const done = new Set(session.completed.map(({ objectiveId }) => objectiveId));
  const learnerTurns = session.turns.filter((turn) => turn.role === 'learner');
  const toReview: SessionToReview = {
    title: session.title,
    assessments: session.assessments,
    scores: session.scores,
    objectives: session.objectives.map((one) => ({ description: one.description, done: done.has(one.objectiveId) })),
    learnerTurns: learnerTurns.length,
    hintedTurns: learnerTurns.filter((turn) => turn.hintLevel > 0).length,
  };
  return { feedback: writeFeedback(toReview), summary: writeSummary(toReview) };
}
