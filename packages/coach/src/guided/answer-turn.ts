/** One step of a guided conversation: matches the learner's words, finds what they prove, and computes the coach's answer. */
import type { DialogueReply, LearnerTurn, Turn } from '@parley/domain';
import type { ConversationState } from '../coach.ts';
import { findQuote, sliceQuote } from '../text/find-quote.ts';
import {
  fillCoachName,
  answerReply,
  candidateReplies,
  type GuidedObjective,
  type GuidedReply,
  type GuidedScene,
} from './dialogue-engine.ts';
import { matchTypedReply } from './match-reply.ts';
import { answerAfterGoodbye } from './extend-scene.ts';
import { keepSaid, proveObjectives } from './prove-objectives.ts';
import type { EarlierAnswer, SceneCoach } from '../understanding/index.ts';

/**
 * The node at which the learner answers: that of the coach's last line. When a scene has been rewritten since, it is the last node that still
 * exists, or the start.
 */
export function currentNode({ dialogue }: GuidedScene, turns: readonly Turn[]): string {
  const keys = new Set(dialogue.nodes.map(({ key }) => key));
  const last = turns.findLast((turn) => turn.role === 'coach' && turn.node !== null && keys.has(turn.node));
  return last?.node ?? dialogue.start;
}

export const currentReplies = (scene: GuidedScene, turns: readonly Turn[]): readonly DialogueReply[] =>
  candidateReplies({ dialogue: scene.dialogue, node: currentNode(scene, turns), difficulty: scene.difficulty }).map(
    (reply) => ({ ...reply, text: fillCoachName(reply.text, scene) }),
  );

/** Expects `said` to be the last turn of the conversation. */
export function answerTurn(
  scene: GuidedScene & { objectives: readonly GuidedObjective[] },
  conversation: ConversationState,
  said: LearnerTurn,
): GuidedReply {
  const answer =
    scene.sceneCoach === null
      ? answerWithReplies(scene, conversation, said)
      : answerFreely({ ...scene, sceneCoach: scene.sceneCoach }, conversation, said);
  return answerAfterGoodbye(scene, conversation, answer);
}

/** The nodes whose answers determine the reply to the next turn. */
export const nodesToUnderstand = (scene: GuidedScene, turns: readonly Turn[]): string[] => [
  currentNode(scene, turns),
  ...earlierAnswers(turns)
    .filter(({ fitted, node, next }) => fitted && node !== next)
    .flatMap(({ node }) => (node === null ? [] : [node])),
];

function answerFreely(
  scene: GuidedScene & { sceneCoach: SceneCoach; objectives: readonly GuidedObjective[] },
  conversation: ConversationState,
  said: LearnerTurn,
): GuidedReply {
  const node = currentNode(scene, conversation.turns);
  const { reply, kind, coach, hasEnded, proofs } = scene.sceneCoach.answer({
    node,
    difficulty: scene.difficulty,
    said: said.text,
    memory: scene.sceneCoach.recall(earlierAnswers(conversation.turns)),
    lastLine: conversation.turns.findLast(({ role }) => role === 'coach')?.text,
  });
  const lineKind = hasEnded ? 'goodbye' : reply === null ? 'rephrase' : 'line';
  return {
    line: { node: reply ?? node, text: coach, kind: lineKind },
    // A question that the learner adds counts as a match, because the coach did not have to ask again.
    fitted: kind !== 'off',
    proved: keepSaid(proofs, said).flatMap((proof) => {
      const done = new Set(conversation.completed.map(({ objectiveId }) => objectiveId));
      const open = scene.objectives.find(({ key, objectiveId }) => key === proof.objective && !done.has(objectiveId));
      return open === undefined
        ? []
        : [{ objectiveId: open.objectiveId, words: inLearnerSpelling(said.text, proof.words) }];
    }),
  };
}

/**
 * The learner's earlier turns, with the nodes that they led from and to. A language model's turns belong to no node.
 */
export function earlierAnswers(turns: readonly Turn[]): EarlierAnswer[] {
  const earlier: EarlierAnswer[] = [];
  for (const [index, turn] of turns.entries()) {
    const before = turns.slice(0, index).findLast(({ role }) => role === 'coach');
    const after = turns.slice(index + 1).find(({ role }) => role === 'coach');
    const node = before?.node ?? null;
    if (turn.role === 'learner' && after !== undefined)
      earlier.push({ node, next: after.node ?? node, said: turn.text, fitted: turn.fitted });
  }
  return earlier;
}

function answerWithReplies(
  scene: GuidedScene & { objectives: readonly GuidedObjective[] },
  conversation: ConversationState,
  said: LearnerTurn,
): GuidedReply {
  const replies = currentReplies(scene, conversation.turns);
  const reply =
    replies.find((candidate) => candidate.text === said.text) ??
    matchTypedReply({ text: said.text, candidates: replies })?.reply ??
    null;
  const proved = reply === null ? [] : findProofs(scene.objectives, conversation, { ...said, reply });
  const line = answerReply(scene, {
    node: currentNode(scene, conversation.turns),
    reply,
    provedObjective: proved.length > 0,
    misses: reply === null ? countMisses(conversation.turns) + 1 : 0,
    turnCount: conversation.turns.filter((turn) => turn.role === 'learner').length,
  });
  return { line, fitted: reply !== null, proved };
}

/** Each unmatched reply is answered with a rephrasing, so the number of rephrasings is the number of misses. */
function countMisses(turns: readonly Turn[]): number {
  const lines = turns.filter((turn) => turn.role === 'coach');
  return lines.length - 1 - lines.findLastIndex((line) => line.kind !== 'rephrase');
}

function findProofs(
  objectives: readonly GuidedObjective[],
  conversation: ConversationState,
  said: LearnerTurn & { reply: DialogueReply },
): GuidedReply['proved'] {
  const done = new Set(conversation.completed.map(({ objectiveId }) => objectiveId));
  const open = objectives.filter(({ objectiveId }) => !done.has(objectiveId));
  const completedKeys = new Set<string>(objectives.filter((one) => done.has(one.objectiveId)).map(({ key }) => key));
  return proveObjectives({ ...said, already: completedKeys }).flatMap(({ objective, words }) => {
    const proved = open.find(({ key }) => key === objective);
    return proved === undefined
      ? []
      : [{ objectiveId: proved.objectiveId, words: inLearnerSpelling(said.text, words) }];
  });
}

const MAX_PROOF = 400;

/** Returns the matched words in the learner's spelling. */
function inLearnerSpelling(text: string, words: string): string {
  const span = findQuote(text, words);
  return span === null ? text.slice(0, MAX_PROOF).toWellFormed() : sliceQuote(text, span, MAX_PROOF);
}
