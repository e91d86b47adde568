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

/** A turn of the coach and the replies it expects; a node without replies ends the conversation. */
export const DialogueNode = z.object({
  key: NodeKey,
  say: byDifficulty(Line),
  /** Two or three a difficulty; empty lists where the conversation ends. */
  replies: byDifficulty(z.array(DialogueReply).max(3)),
  /** What the coach says, in turn, when nothing fits: simpler each time. */
  rephrase: z.array(Line).max(3),
});
export type DialogueNode = z.infer<typeof DialogueNode>;

export const Dialogue = z
  .object({ start: NodeKey, nodes: z.array(DialogueNode).min(2).max(60) })
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
