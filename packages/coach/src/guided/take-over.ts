/** Lets the guided coach take over from a language model in mid-scene, and hand over to one. */
import type { CoachUtterance, LearnerTurn, Turn } from '@parley/domain';
import type { ConversationState } from '../coach.ts';
import type { SceneMemory } from '../understanding/index.ts';
import { answerTurn, currentNode, earlierAnswers } from './answer-turn.ts';
import { fillCoachName, type GuidedObjective, type GuidedReply, type GuidedScene } from './dialogue-engine.ts';

const TAKE_OVER = ["Let's go on step by step.", "I'll take it from here, one question at a time."];
const HAND_OVER = ["Let's talk more freely from here.", 'From here on, just talk to me.'];

type Objectives = { objectives: readonly GuidedObjective[] };

/**
 * The guided coach's first utterance after a language model. It takes into account what the learner has said in the
 * meantime, so that it asks only for what is still open. It answers `pending`, which the model has not answered;
 * without it, the coach asks its next question.
 */
export function takeOverScene(
  scene: GuidedScene & Objectives,
  conversation: ConversationState,
  pending: LearnerTurn | null,
): GuidedReply {
  const { turns } = conversation;
  const before = pending === null ? turns : turns.slice(0, turns.indexOf(pending));
  const node = nodeAfterFreeTalk(scene, before);
  if (pending !== null) {
    const place: Turn = { role: 'coach', turnId: pending.turnId, at: pending.at, node, text: '', kind: 'line' };
    return answerTurn(scene, { ...conversation, turns: [...before, place, pending] }, pending);
  }
  return { line: { node, text: ask(scene, node, TAKE_OVER), kind: 'line' }, fitted: true, proved: [] };
}

/** The coach's line when a language model takes over. It belongs to no node. */
export const handOverScene = (scene: GuidedScene, turns: readonly Turn[]): CoachUtterance => ({
  node: null,
  text: ask(scene, currentNode(scene, turns), HAND_OVER),
  kind: 'line',
});

function ask(scene: GuidedScene, key: string, leads: readonly string[]): string {
  const { sceneCoach, dialogue, difficulty, seed } = scene;
  const node = dialogue.nodes.find((one) => one.key === key);
  const question = sceneCoach?.ask(key, difficulty) ?? node?.say[difficulty] ?? '';
  return `${leads[Math.abs(Math.trunc(seed)) % leads.length] ?? ''} ${fillCoachName(question, scene)}`.trim();
}

/** Answers that belong to the current question move the scene on, up to its last question. */
function nodeAfterFreeTalk(scene: GuidedScene, turns: readonly Turn[]): string {
  const { sceneCoach, difficulty } = scene;
  let node = currentNode(scene, turns);
  if (sceneCoach === null) return node;
  const lastGuided = turns.findLastIndex((turn) => turn.role === 'coach' && turn.node !== null);
  let memory: SceneMemory = sceneCoach.recall(earlierAnswers(turns.slice(0, lastGuided + 1)));
  for (const turn of turns.slice(lastGuided + 1)) {
    if (turn.role !== 'learner' || turn.text === '') continue;
    const answer = sceneCoach.answer({ node, difficulty, said: turn.text, memory });
    if (answer.kind !== 'intent' && answer.kind !== 'bridge') continue;
    if (answer.hasEnded) break;
    ({ memory } = answer);
    node = answer.reply ?? node;
  }
  return node;
}
