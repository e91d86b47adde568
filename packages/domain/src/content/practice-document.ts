/**
 * A practice as its authors write it. A draft may be incomplete, so these schemas only limit it; findings say what is
 * missing.
 */
import { z } from 'zod';
import { ENGLISH_LEVELS } from '../enumerations.ts';
import { CoachId, ObjectiveId } from '../ids.ts';
import { SLOT_KINDS } from '../practice/dialogue.ts';
import { DraftImage, DraftLine, DraftText, DraftTitle } from './draft-fields.ts';

const DraftKey = z.string().max(60);
const Examples = z.array(z.string().max(400)).max(120);
const Reactions = z.array(DraftLine).max(6);

const byDifficulty = <Shape extends z.ZodType>(shape: Shape) =>
  z.strictObject({ easy: shape, intermediate: shape, hard: shape });
export const NextNode = byDifficulty(DraftKey);

/** A model reply at three levels. `[words](objective)` in a text marks the words that prove an objective. */
export const ScriptReply = z.strictObject({
  to: NextNode,
  hint: z.string().max(60),
  easy: DraftLine,
  intermediate: DraftLine,
  hard: DraftLine,
});
export type ScriptReply = z.infer<typeof ScriptReply>;

export const ScriptIntent = z.strictObject({
  key: DraftKey,
  to: NextNode,
  proves: z.array(DraftKey).max(6),
  tells: z.array(DraftKey).max(6),
  reactions: Reactions,
  examples: Examples,
});
export type ScriptIntent = z.infer<typeof ScriptIntent>;

export const ScriptUnderstanding = z.strictObject({
  intents: z.array(ScriptIntent).max(8),
  bridge: NextNode,
  bridgeProves: z.array(DraftKey).max(6),
  reactions: Reactions,
  slots: z.array(z.enum(SLOT_KINDS)).max(10),
  isOpen: z.boolean(),
  unforeseen: Examples,
  decoys: Examples,
});
export type ScriptUnderstanding = z.infer<typeof ScriptUnderstanding>;

export const ScriptNode = z.strictObject({
  key: DraftKey,
  say: byDifficulty(DraftLine),
  rephrase: z.array(DraftLine).max(3),
  replies: z.array(ScriptReply).max(3),
  /** Whether the conversation ends here. A step without replies that is not an ending is a dead end. */
  isEnd: z.boolean(),
  learns: DraftKey.nullable(),
  onKnown: DraftKey.nullable(),
  /** Null if only the model replies are recognised. */
  understanding: ScriptUnderstanding.nullable(),
});
export type ScriptNode = z.infer<typeof ScriptNode>;

export const PracticeScript = z.strictObject({
  start: DraftKey,
  topic: z.array(z.string().max(40)).max(120),
  facts: z.array(z.strictObject({ key: DraftKey, answer: DraftLine, asks: Examples })).max(16),
  nodes: z.array(ScriptNode).max(60),
});
export type PracticeScript = z.infer<typeof PracticeScript>;

export const PracticeDocument = z.strictObject({
  title: DraftTitle,
  category: z.string().max(60),
  level: z.enum(ENGLISH_LEVELS),
  minutes: z.number().int().min(1).max(60),
  agentId: CoachId.nullable(),
  summary: DraftLine,
  description: DraftText,
  scenario: DraftText,
  role: DraftLine,
  words: z.array(z.strictObject({ word: z.string().max(80), meaning: z.string().max(300) })).max(12),
  objectives: z
    .array(
      z.strictObject({
        objectiveId: ObjectiveId,
        key: DraftKey,
        description: DraftLine,
        /** A regular expression that the words of a proof must match; null when any words will do. */
        needs: z.string().max(2_000).nullable(),
      }),
    )
    .max(12),
  cover: DraftImage,
  /** `not_ready` is listed as coming soon. */
  availability: z.enum(['ready', 'not_ready']),
  /** Null for a practice that needs a language model. */
  script: PracticeScript.nullable(),
});
export type PracticeDocument = z.infer<typeof PracticeDocument>;
