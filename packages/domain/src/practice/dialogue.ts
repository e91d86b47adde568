/** The written dialogue a practice carries: what the guided coach follows when no cloud is there. */
import { z } from 'zod';
import { PRACTICE_DIFFICULTIES } from '../enumerations.ts';

const NodeKey = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
/** Short name of an objective inside one practice, such as `name-the-delay`. */
export const ObjectiveKey = NodeKey.brand<'ObjectiveKey'>();
export type ObjectiveKey = z.infer<typeof ObjectiveKey>;

const Line = z.string().min(1).max(600);

/** The learner's words that prove an objective: a part of the reply's own text. */
export const ObjectiveProof = z.object({ objective: ObjectiveKey, words: z.string().min(1).max(200) });
export type ObjectiveProof = z.infer<typeof ObjectiveProof>;

export const DialogueReply = z.object({
  text: Line,
  /** The node the coach answers with. */
  next: NodeKey,
  /** First rung of the hint ladder: a word or two. The opening and the whole sentence come from `text`. */
  keyword: z.string().min(1).max(60),
  proves: z.array(ObjectiveProof).max(6),
});
export type DialogueReply = z.infer<typeof DialogueReply>;

const byDifficulty = <Shape extends z.ZodType>(shape: Shape) =>
  z.object({ easy: shape, intermediate: shape, hard: shape });

/** Kinds of values that a turn may name. */
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

/** One thing that a learner may mean at a node, with many ways to say it. */
export const DialogueIntent = z.object({
  key: NodeKey,
  /** The node the coach answers with. */
  next: byDifficulty(NodeKey),
  proves: z.array(ObjectiveKey).max(6),
  /** Facts that the learner has told with it; the coach does not ask for them again. */
  tells: z.array(NodeKey).max(6),
  /** What the coach says to this kind of answer, before its next line. */
  reactions: Reactions,
  examples: Examples.min(1),
});
export type DialogueIntent = z.infer<typeof DialogueIntent>;

/** What may be said at a node, in the learner's own words. */
export const NodeUnderstanding = z.object({
  intents: z.array(DialogueIntent).max(8),
  /** Where an answer leads that fits and was not foreseen. */
  bridge: byDifficulty(NodeKey),
  bridgeProves: z.array(ObjectiveKey).max(6),
  /** Said before the next line after such an answer. */
  reactions: Reactions,
  /** Values that count as an answer here. */
  slots: z.array(z.enum(SLOT_KINDS)).max(10),
  /** Anything personal fits. */
  isOpen: z.boolean(),
  unforeseen: Examples,
  /** Sentences with the node's own words that are no answer. */
  decoys: Examples,
});
export type NodeUnderstanding = z.infer<typeof NodeUnderstanding>;

/** What the coach can say about the scene when it is asked. */
export const DialogueFact = z.object({ key: NodeKey, answer: Line, asks: Examples });
export type DialogueFact = z.infer<typeof DialogueFact>;

/** A turn of the coach and the replies it expects; a node without replies ends the conversation. */
export const DialogueNode = z.object({
  key: NodeKey,
  say: byDifficulty(Line),
  /** Two or three a difficulty; empty lists where the conversation ends. */
  replies: byDifficulty(z.array(DialogueReply).max(3)),
  /** What the coach says, in turn, when nothing fits: simpler each time. */
  rephrase: z.array(Line).max(3),
  /** The fact that the node asks for, and where the coach goes instead when it was told before. */
  learns: NodeKey.optional(),
  onKnown: NodeKey.optional(),
  /** Left out by dialogues that know model replies only. */
  understanding: NodeUnderstanding.optional(),
});
export type DialogueNode = z.infer<typeof DialogueNode>;

export const Dialogue = z
  .object({
    start: NodeKey,
    nodes: z.array(DialogueNode).min(2).max(60),
    /** Words that belong to the scene. */
    topic: z.array(z.string().min(1).max(40)).max(120).optional(),
    facts: z.array(DialogueFact).max(16).optional(),
    /** By objective: a regular expression that words which prove it must match. */
    proofs: z.record(z.string(), z.string().max(2_000)).optional(),
  })
  .superRefine((dialogue, context) => {
    const keys = new Set(dialogue.nodes.map((node) => node.key));
    const report = (message: string): void => context.addIssue({ code: 'custom', message });
    if (keys.size !== dialogue.nodes.length) report('two nodes bear the same key');
    if (!keys.has(dialogue.start)) report(`start "${dialogue.start}" is no node`);
    const reached = new Set([dialogue.start]);
    for (const node of dialogue.nodes) {
      const counts = PRACTICE_DIFFICULTIES.map((difficulty) => node.replies[difficulty].length);
      const ends = counts.every((count) => count === 0);
      if (!ends && counts.some((count) => count < 2))
        report(`"${node.key}": each difficulty needs two or three replies`);
      if (!ends && node.rephrase.length === 0) report(`"${node.key}": a rephrasing is missing`);
      for (const reply of PRACTICE_DIFFICULTIES.flatMap((difficulty) => node.replies[difficulty])) {
        if (!keys.has(reply.next)) report(`"${node.key}": reply leads to unknown "${reply.next}"`);
        reached.add(reply.next);
        for (const proof of reply.proves) {
          if (!reply.text.toLowerCase().includes(proof.words.toLowerCase()))
            report(`"${node.key}": the proof "${proof.words}" does not stand in its reply`);
        }
      }
    }
    for (const key of keys) if (!reached.has(key)) report(`"${key}" is never reached`);
  });
export type Dialogue = z.infer<typeof Dialogue>;
