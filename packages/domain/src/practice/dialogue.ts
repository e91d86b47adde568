/** The written dialogue of a practice, which the guided coach follows offline. */
import { z } from 'zod';
import { PRACTICE_DIFFICULTIES } from '../enumerations.ts';

const NodeKey = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
/** The short name of an objective within a practice, such as `name-the-delay`. */
export const ObjectiveKey = NodeKey.brand<'ObjectiveKey'>();
export type ObjectiveKey = z.infer<typeof ObjectiveKey>;

const Line = z.string().min(1).max(600);

/** The part of a reply's text that proves an objective. */
export const ObjectiveProof = z.object({ objective: ObjectiveKey, words: z.string().min(1).max(200) });
export type ObjectiveProof = z.infer<typeof ObjectiveProof>;

export const DialogueReply = z.object({
  text: Line,
  /** The node with which the coach answers. */
  next: NodeKey,
  /** The first hint: a word or two. The opening and the whole sentence are taken from `text`. */
  keyword: z.string().min(1).max(60),
  proves: z.array(ObjectiveProof).max(6),
});
export type DialogueReply = z.infer<typeof DialogueReply>;

const byDifficulty = <Shape extends z.ZodType>(shape: Shape) =>
  z.object({ easy: shape, intermediate: shape, hard: shape });

/** Kinds of values that a turn can mention. */
export const SLOT_KINDS = [
  'date',
  'duration',
  'time',
  'money',
  'amount',
  'name',
  'yes',
  'no',
  'reason',
  'unsure',
] as const;
export type SlotKind = (typeof SLOT_KINDS)[number];

const Examples = z.array(z.string().min(1).max(400)).max(120);
const Reactions = z.array(Line).max(6);

/** One meaning that a learner may express at a node, with example sentences. */
export const DialogueIntent = z.object({
  key: NodeKey,
  /** The node with which the coach answers. */
  next: byDifficulty(NodeKey),
  proves: z.array(ObjectiveKey).max(6),
  /** Facts that this answer states; the coach does not ask for them again. */
  tells: z.array(NodeKey).max(6),
  /** The coach's reactions to this kind of answer, said before its next line. */
  reactions: Reactions,
  examples: Examples.min(1),
});
export type DialogueIntent = z.infer<typeof DialogueIntent>;

/** How free answers are understood at a node. */
export const NodeUnderstanding = z.object({
  intents: z.array(DialogueIntent).max(8),
  /** The next node after an answer that is on topic but matches no intent. */
  bridge: byDifficulty(NodeKey),
  bridgeProves: z.array(ObjectiveKey).max(6),
  /** Said before the next line after such an answer. */
  reactions: Reactions,
  /** Values that count as an answer here. */
  slots: z.array(z.enum(SLOT_KINDS)).max(10),
  /** True when any personal answer is acceptable. */
  isOpen: z.boolean(),
  unforeseen: Examples,
  /** Sentences that use the node's vocabulary but are not answers. */
  decoys: Examples,
});
export type NodeUnderstanding = z.infer<typeof NodeUnderstanding>;

/** A fact about the scene that the learner can ask about. */
export const DialogueFact = z.object({ key: NodeKey, answer: Line, asks: Examples });
export type DialogueFact = z.infer<typeof DialogueFact>;

/** One coach turn with the replies it expects; a node without replies ends the conversation. */
export const DialogueNode = z.object({
  key: NodeKey,
  say: byDifficulty(Line),
  /** Two or three per difficulty; empty lists at the end of the conversation. */
  replies: byDifficulty(z.array(DialogueReply).max(3)),
  /** The coach's line when a reply is not recognised, simpler with each attempt. */
  rephrase: z.array(Line).max(3),
  /** The fact that this node asks for, and the node to go to when the fact is already known. */
  learns: NodeKey.optional(),
  onKnown: NodeKey.optional(),
  /** Absent in dialogues that only recognise model replies. */
  understanding: NodeUnderstanding.optional(),
});
export type DialogueNode = z.infer<typeof DialogueNode>;

/** The nodes to which free answers can lead. */
function understoodTargets({ key, understanding, onKnown }: DialogueNode): { key: string; next: string }[] {
  const targets =
    understanding === undefined
      ? []
      : [understanding.bridge, ...understanding.intents.map((intent) => intent.next)].flatMap((next) =>
          PRACTICE_DIFFICULTIES.map((difficulty) => next[difficulty]),
        );
  return [...targets, ...(onKnown === undefined ? [] : [onKnown])].map((next) => ({ key, next }));
}

export const Dialogue = z
  .object({
    start: NodeKey,
    nodes: z.array(DialogueNode).min(2).max(60),
    /** Words that belong to the topic of the scene. */
    topic: z.array(z.string().min(1).max(40)).max(120).optional(),
    facts: z.array(DialogueFact).max(16).optional(),
    /** For each objective, a regular expression that a proof's words must match. */
    proofs: z.record(z.string(), z.string().max(2_000)).optional(),
  })
  .superRefine((dialogue, context) => {
    const keys = new Set(dialogue.nodes.map((node) => node.key));
    const report = (message: string): void => context.addIssue({ code: 'custom', message });
    if (keys.size !== dialogue.nodes.length) report('two nodes have the same key');
    if (!keys.has(dialogue.start)) report(`start "${dialogue.start}" is not a node`);
    const reached = new Set([dialogue.start]);
    for (const node of dialogue.nodes) {
      const counts = PRACTICE_DIFFICULTIES.map((difficulty) => node.replies[difficulty].length);
      const ends = counts.every((count) => count === 0);
      if (!ends && counts.some((count) => count < 2))
        report(`"${node.key}": each difficulty needs two or three replies`);
      if (!ends && node.rephrase.length === 0) report(`"${node.key}": a rephrasing is missing`);
      for (const reply of PRACTICE_DIFFICULTIES.flatMap((difficulty) => node.replies[difficulty])) {
        if (!keys.has(reply.next)) report(`"${node.key}": a reply leads to the unknown node "${reply.next}"`);
        reached.add(reply.next);
        for (const proof of reply.proves) {
          if (!reply.text.toLowerCase().includes(proof.words.toLowerCase()))
            report(`"${node.key}": the proof "${proof.words}" is not part of its reply`);
        }
      }
    }
    for (const { key, next } of dialogue.nodes.flatMap(understoodTargets)) {
      if (!keys.has(next)) report(`"${key}": an answer leads to the unknown node "${next}"`);
      reached.add(next);
    }
    for (const key of keys) if (!reached.has(key)) report(`"${key}" cannot be reached`);
  });
export type Dialogue = z.infer<typeof Dialogue>;
