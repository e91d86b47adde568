/** The schemas of scenes that understand free answers: `content/scenes`, `content/intents` and `content/shared-acts.yaml`. */
import { ENGLISH_LEVELS, ObjectiveKey, SLOT_KINDS } from '@parley/domain';
import { z } from 'zod';

const Key = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const Sentence = z.string().min(1).max(600);
/** One example per line. */
const ExampleLines = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
/** One node for all difficulties, or one per difficulty. */
const Target = z.union([
  Key.transform((key) => ({ easy: key, intermediate: key, hard: key })),
  z.strictObject({ easy: Key, intermediate: Key, hard: Key }),
]);

const SceneReply = z.strictObject({
  to: Target,
  hint: z.string().min(1).max(60),
  easy: Sentence,
  intermediate: Sentence,
  hard: Sentence,
});

const SceneNode = z.strictObject({
  /** Easy, intermediate, hard. */
  say: z.tuple([Sentence, Sentence, Sentence]),
  rephrase: z.array(Sentence).max(3).default([]),
  replies: z.array(SceneReply).max(3).default([]),
  learns: Key.optional(),
  onKnown: Key.optional(),
});

export const SceneFile = z.strictObject({
  title: z.string().min(1).max(120),
  category: z.string().min(1).max(60),
  level: z.enum(ENGLISH_LEVELS),
  minutes: z.number().int().min(2).max(10),
  coach: Key,
  cast: Key.optional(),
  summary: z.string().min(1).max(200),
  description: Sentence,
  scenario: Sentence,
  role: Sentence,
  objectives: z.record(ObjectiveKey, Sentence),
  words: z.record(z.string().min(1).max(80), z.string().min(1).max(300)),
  start: Key,
  nodes: z.record(Key, SceneNode),
});
export type SceneFile = z.infer<typeof SceneFile>;

export const IntentsFile = z.strictObject({
  practice: Key,
  topic: z.string().transform((words) => words.split(/\s+/).filter((word) => word !== '')),
  facts: z.record(Key, z.strictObject({ answer: Sentence, asks: ExampleLines })).default({}),
  nodes: z.record(
    Key,
    z.strictObject({
      /** Also allowed in the scene's node, which takes precedence. */
      learns: Key.optional(),
      onKnown: Key.optional(),
      bridge: Target,
      bridgeProves: z.array(ObjectiveKey).default([]),
      reactions: z.array(Sentence).default([]),
      slots: z.array(z.enum(SLOT_KINDS)).default([]),
      open: z.boolean().default(false),
      unforeseen: ExampleLines,
      decoys: ExampleLines,
      intents: z.record(
        Key,
        z.strictObject({
          to: Target,
          proves: z.array(ObjectiveKey).default([]),
          tells: z.array(Key).default([]),
          reactions: z.array(Sentence).default([]),
          examples: ExampleLines,
        }),
      ),
    }),
  ),
  objectives: z.record(ObjectiveKey, z.strictObject({ needs: z.string().max(2_000).optional() })).default({}),
});
export type IntentsFile = z.infer<typeof IntentsFile>;

export const SharedActsFile = z.strictObject({
  asks: z.record(Key, z.strictObject({ replies: z.array(Sentence).min(2), examples: ExampleLines })),
  off: ExampleLines,
  other_languages: ExampleLines,
});
