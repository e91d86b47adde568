/** The guided coach: follows a written dialogue in its own character, patiently. Pure; the same seed gives the same words. */
import type { CoachLine, CoachManner, Dialogue, DialogueNode, DialogueReply, PracticeDifficulty } from '@parley/domain';

export interface GuidedScene {
  dialogue: Dialogue;
  difficulty: PracticeDifficulty;
  manner: CoachManner;
  /** Varies the phrases from session to session. */
  seed: number;
}

/** What the coach says first. */
export function openConversation(scene: GuidedScene): CoachLine {
  const node = nodeOf(scene.dialogue, scene.dialogue.start);
  return { node: node?.key ?? scene.dialogue.start, text: node?.say[scene.difficulty] ?? '', kind: 'line' };
}

/** Replies that the learner may give here; none where the conversation has ended. */
export function candidateReplies(at: {
  dialogue: Dialogue;
  node: string;
  difficulty: PracticeDifficulty;
}): readonly DialogueReply[] {
  return nodeOf(at.dialogue, at.node)?.replies[at.difficulty] ?? [];
}

export interface LearnerReply {
  /** Where the learner spoke. */
  node: string;
  /** The reply that fitted; null when none did. */
  reply: DialogueReply | null;
  /** Whether it proved something new. */
  provedObjective: boolean;
  /** Replies in a row that did not fit here, this one included; 0 when it fitted. */
  misses: number;
  /** Learner turns so far: moves the coach's phrases on, so that none is said twice in a row. */
  turnCount: number;
}

/** What the coach answers: the next line in character, a patient rephrasing, or goodbye. */
export function answer(scene: GuidedScene, learner: LearnerReply): CoachLine {
  if (learner.reply === null) return rephrase(scene, learner);
  const next = nodeOf(scene.dialogue, learner.reply.next);
  if (next === undefined)
    return { node: learner.node, text: pick(scene.manner.goodbye, scene, learner), kind: 'goodbye' };
  const line = next.say[scene.difficulty];
  if (next.replies[scene.difficulty].length === 0) {
    return { node: next.key, text: `${line} ${pick(scene.manner.goodbye, scene, learner)}`, kind: 'goodbye' };
  }
  const phrases = learner.provedObjective ? scene.manner.praise : scene.manner.acknowledge;
  return { node: next.key, text: `${pick(phrases, scene, learner)} ${line}`, kind: 'line' };
}

/** Simpler each time; after the last rephrasing the coach offers a sentence to say. */
function rephrase(scene: GuidedScene, learner: LearnerReply): CoachLine {
  const node = nodeOf(scene.dialogue, learner.node);
  const simpler = node?.rephrase[learner.misses - 1];
  const example = node?.replies[scene.difficulty][0]?.text ?? '';
  const lastRephrase = node?.rephrase.at(-1) ?? '';
  const text = simpler ?? `${lastRephrase} You could say: “${example}”`;
  return { node: learner.node, text: `${pick(scene.manner.reassure, scene, learner)} ${text}`, kind: 'rephrase' };
}

const nodeOf = (dialogue: Dialogue, key: string): DialogueNode | undefined =>
  dialogue.nodes.find((node) => node.key === key);

/** Walks through the phrases from a place that the seed chooses: a phrase never follows itself. */
const pick = (phrases: readonly string[], scene: GuidedScene, learner: LearnerReply): string =>
  phrases[(Math.abs(Math.trunc(scene.seed)) + learner.turnCount) % phrases.length] ?? '';
