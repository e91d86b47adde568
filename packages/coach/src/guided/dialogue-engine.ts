/** The guided coach's dialogue engine. It is pure: the same seed gives the same words. */
import type {
  CoachUtterance,
  CoachManner,
  Dialogue,
  DialogueNode,
  DialogueReply,
  ObjectiveId,
  PracticeDifficulty,
} from '@parley/domain';
import type { SceneCoach } from '../understanding/index.ts';

export interface GuidedScene {
  dialogue: Dialogue;
  difficulty: PracticeDifficulty;
  manner: CoachManner;
  /** Replaces `{coach}`. */
  coachName: string;
  /** Understands free answers; null for a dialogue that only recognises model replies. */
  sceneCoach: SceneCoach | null;
  /** Varies the phrases between sessions. */
  seed: number;
}

export interface GuidedObjective {
  objectiveId: ObjectiveId;
  /** The name that the dialogue's replies use for it. */
  key: string;
  description: string;
}

export interface GuidedReply {
  line: CoachUtterance;
  /** Whether a reply in the dialogue matched. */
  fitted: boolean;
  proved: { objectiveId: ObjectiveId; words: string }[];
}

/** The coach's opening. */
export function openConversation(scene: GuidedScene): CoachUtterance {
  const node = findNode(scene.dialogue, scene.dialogue.start);
  const text = scene.sceneCoach?.open(scene.difficulty) ?? node?.say[scene.difficulty] ?? '';
  return { node: node?.key ?? scene.dialogue.start, text: fillCoachName(text, scene), kind: 'line' };
}

/** Inserts the name of the coach into a text of the dialogue. */
export const fillCoachName = (text: string, { coachName }: Pick<GuidedScene, 'coachName'>): string =>
  text.replaceAll('{coach}', () => coachName);

/** The replies that the learner may give at a node; empty at the end of the conversation. */
export function candidateReplies(at: {
  dialogue: Dialogue;
  node: string;
  difficulty: PracticeDifficulty;
}): readonly DialogueReply[] {
  return findNode(at.dialogue, at.node)?.replies[at.difficulty] ?? [];
}

export interface LearnerReply {
  /** The node at which the learner spoke. */
  node: string;
  /** The matching reply; null when there was none. */
  reply: DialogueReply | null;
  /** Whether it proved a new objective. */
  provedObjective: boolean;
  /** The number of consecutive replies without a match at this node, including this one; 0 when it matched. */
  misses: number;
  /** The number of learner turns so far. It advances the coach's phrases, so that none is repeated immediately. */
  turnCount: number;
}

/** The coach's answer: the next line, a rephrasing, or a goodbye. */
export function answerReply(scene: GuidedScene, learner: LearnerReply): CoachUtterance {
  const utterance = learner.reply === null ? rephrase(scene, learner) : lineAfter(scene, learner, learner.reply);
  return { ...utterance, text: fillCoachName(utterance.text, scene) };
}

function lineAfter(scene: GuidedScene, learner: LearnerReply, reply: DialogueReply): CoachUtterance {
  const next = findNode(scene.dialogue, reply.next);
  if (next === undefined)
    return { node: learner.node, text: pickPhrase(scene.manner.goodbye, scene, learner), kind: 'goodbye' };
  const line = next.say[scene.difficulty];
  if (next.replies[scene.difficulty].length === 0) {
    return { node: next.key, text: `${line} ${pickPhrase(scene.manner.goodbye, scene, learner)}`, kind: 'goodbye' };
  }
  const phrases = learner.provedObjective ? scene.manner.praise : scene.manner.acknowledge;
  return { node: next.key, text: `${pickPhrase(phrases, scene, learner)} ${line}`, kind: 'line' };
}

/** Each rephrasing is simpler; after the last one the coach suggests a sentence. */
function rephrase(scene: GuidedScene, learner: LearnerReply): CoachUtterance {
  const node = findNode(scene.dialogue, learner.node);
  const simpler = node?.rephrase[learner.misses - 1];
  const example = node?.replies[scene.difficulty][0]?.text ?? '';
  const lastRephrase = node?.rephrase.at(-1) ?? '';
  const text = simpler ?? `${lastRephrase} You could say: “${example}”`;
  return { node: learner.node, text: `${pickPhrase(scene.manner.reassure, scene, learner)} ${text}`, kind: 'rephrase' };
}

const findNode = (dialogue: Dialogue, key: string): DialogueNode | undefined =>
  dialogue.nodes.find((node) => node.key === key);

/** Cycles through the phrases from a start that the seed determines, so that a phrase never follows itself. */
const pickPhrase = (phrases: readonly string[], scene: GuidedScene, learner: LearnerReply): string =>
  phrases[(Math.abs(Math.trunc(scene.seed)) + learner.turnCount) % phrases.length] ?? '';
