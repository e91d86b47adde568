/** Extends a scene that has ended with the questions whose objectives are still open. */
import type { CoachUtterance, DialogueNode, PracticeDifficulty, Turn } from '@parley/domain';
import type { ConversationState } from '../coach.ts';
import { fillCoachName, type GuidedObjective, type GuidedReply, type GuidedScene } from './dialogue-engine.ts';

type SceneWithObjectives = GuidedScene & { objectives: readonly GuidedObjective[] };

const LEADS = ['One more thing before you go.', 'Wait, we still have two minutes.'];
const FREE_LEAD = 'We still have two minutes. What else would you like to say?';

/**
 * From this share of its answers on, a question is about an objective; below it, some answers only happen to mention
 * the objective.
 */
const ABOUT_SHARE = 0.5;

/**
 * The question that can extend a scene that has ended: one whose answers reach an open objective, preferably one that
 * the coach has asked before, and never the opening. No question is asked twice after one goodbye. Null when nothing is
 * left to ask.
 */
export function findOpenQuestion(
  { dialogue, difficulty, objectives }: Pick<SceneWithObjectives, 'dialogue' | 'difficulty' | 'objectives'>,
  { turns, completed }: ConversationState,
): DialogueNode | null {
  const done = new Set(completed.map(({ objectiveId }) => objectiveId));
  const open = new Set<string>(objectives.flatMap((one) => (done.has(one.objectiveId) ? [] : [one.key])));
  const asked = askedNodes(turns);
  const askedAgain = askedNodes(turns.slice(turns.findLastIndex(isGoodbye) + 1));
  const [best] = dialogue.nodes
    .filter(({ key }) => !askedAgain.has(key))
    .map((node) => ({ node, share: shareThatReaches(open, node, difficulty) }))
    .filter(({ share }) => share > 0)
    .map(({ node, share }) => ({
      node,
      preference: [share >= ABOUT_SHARE, node.key !== dialogue.start, asked.has(node.key), share].map(Number),
    }))
    .toSorted((a, b) => comparePreferences(b.preference, a.preference));
  return best?.node ?? null;
}

/** The first difference counts. */
const comparePreferences = (a: readonly number[], b: readonly number[]): number =>
  a.map((each, at) => each - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

/** The utterance that extends a scene after the goodbye. */
export function extendScene(scene: SceneWithObjectives, conversation: ConversationState): CoachUtterance | null {
  const node = findOpenQuestion(scene, conversation);
  return node === null ? null : ask(scene, node, pickPhrase(LEADS, scene, conversation.turns));
}

/** The utterance with which a model coach continues. It belongs to no node. */
export const extendFreely = (): CoachUtterance => ({ node: null, text: FREE_LEAD, kind: 'line' });

/**
 * After a goodbye, the coach asks only what is still open, not the scene's next question, and then says goodbye again.
 */
export function answerAfterGoodbye(
  scene: SceneWithObjectives,
  { turns, completed }: ConversationState,
  answer: GuidedReply,
): GuidedReply {
  const { line, proved } = answer;
  const current = turns.findLast((turn) => turn.role === 'coach' && turn.node !== null);
  if (!turns.some(isGoodbye) || line.kind !== 'line' || line.node === current?.node) return answer;
  const next = findOpenQuestion(scene, { turns, completed: [...completed, ...proved] });
  if (next !== null) return { ...answer, line: ask(scene, next, pickPhrase(scene.manner.acknowledge, scene, turns)) };
  return { ...answer, line: { ...line, text: pickPhrase(scene.manner.goodbye, scene, turns), kind: 'goodbye' } };
}

const isGoodbye = (turn: Turn): boolean => turn.role === 'coach' && turn.kind === 'goodbye';
const askedNodes = (turns: readonly Turn[]): Set<string | null> =>
  new Set(turns.flatMap((turn) => (turn.role === 'coach' ? [turn.node] : [])));

/** The share of the answers at a node, intents or else model replies, that prove an open objective. */
function shareThatReaches(open: ReadonlySet<string>, node: DialogueNode, difficulty: PracticeDifficulty): number {
  const byReplies = node.replies[difficulty].map(({ proves }) => proves.map(({ objective }) => objective));
  const byIntents = node.understanding?.intents.map(({ proves }) => proves) ?? [];
  const shareOf = (answers: readonly (readonly string[])[]): number =>
    answers.filter((proves) => proves.some((key) => open.has(key))).length / Math.max(1, answers.length);
  return Math.max(shareOf(byReplies), shareOf(byIntents));
}

/** The opening is a greeting, and the two have already met. */
const lastQuestion = (line: string): string | null => /[^.!?]+\?$/.exec(line)?.[0].trim() ?? null;

function ask(scene: GuidedScene, node: DialogueNode, lead: string): CoachUtterance {
  const { sceneCoach, difficulty, dialogue } = scene;
  const line = sceneCoach?.ask(node.key, difficulty) ?? node.say[difficulty];
  const question =
    node.key === dialogue.start
      ? ([line, ...node.rephrase].map(lastQuestion).find((found) => found !== null) ?? node.rephrase[0] ?? line)
      : line;
  const text = `${lead} ${question}`.trim();
  return { node: node.key, text: fillCoachName(text, scene), kind: 'line' };
}

/** Changes with each turn, so that the coach does not repeat itself. */
const pickPhrase = (phrases: readonly string[], { seed }: GuidedScene, turns: readonly Turn[]): string =>
  phrases[(Math.abs(Math.trunc(seed)) + turns.length) % Math.max(1, phrases.length)] ?? '';
