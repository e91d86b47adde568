/** The files in which starter content is written: their shapes, checked before anything is bundled. */
import {
  CoachManner,
  CoachVoice,
  COURSE_STATUSES,
  ENGLISH_LEVELS,
  type ObjectiveProof,
  ObjectiveKey,
} from '@parley/domain';
import { z } from 'zod';

const Key = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const Sentence = z.string().min(1).max(600);

export const IndustriesFile = z.record(Key, z.string().min(1).max(200));

export const CoachFile = z.strictObject({
  name: z.string().min(1).max(80),
  skills: z.array(Sentence).min(1),
  communicationStyle: Sentence,
  characterTraits: z.array(Sentence).min(1),
  voice: CoachVoice,
  manner: CoachManner,
});

/** A reply of the learner: what it leads to, its first hint, and its wording at each difficulty with `[proof](objective)` marks. */
export const ReplyFile = z.strictObject({
  to: Key,
  hint: z.string().min(1).max(60),
  easy: Sentence,
  intermediate: Sentence,
  hard: Sentence,
});

export const NodeFile = z.strictObject({
  /** Easy, intermediate, hard. */
  say: z.tuple([Sentence, Sentence, Sentence]),
  rephrase: z.array(Sentence).max(3).default([]),
  replies: z.array(ReplyFile).max(3).default([]),
});

export const PracticeFile = z.strictObject({
  title: z.string().min(1).max(120),
  category: z.string().min(1).max(60),
  level: z.enum(ENGLISH_LEVELS),
  minutes: z.number().int().min(1).max(60),
  coach: Key,
  summary: z.string().min(1).max(200),
  description: Sentence,
  scenario: Sentence,
  role: Sentence,
  objectives: z.record(ObjectiveKey, Sentence),
  words: z.record(z.string().min(1).max(80), z.string().min(1).max(300)),
  start: Key,
  nodes: z.record(Key, NodeFile),
});
export type PracticeFile = z.infer<typeof PracticeFile>;

export const CourseFile = z.strictObject({
  title: z.string().min(1).max(120),
  description: Sentence,
  status: z.enum(COURSE_STATUSES),
  order: z.number().int().min(1),
  sections: z.array(
    z.strictObject({ title: z.string().min(1).max(120), description: Sentence, practices: z.array(Key) }),
  ),
});

const PROOF_MARK = /\[([^\]]+)\]\(([a-z0-9-]+)\)/g;

/** `I am [very sorry](apologise).` is the sentence "I am very sorry." with a proof of `apologise`. */
export function readMarkedSentence(marked: string): { text: string; proves: ObjectiveProof[] } {
  const proves = [...marked.matchAll(PROOF_MARK)].map((match) => ({
    words: match[1] ?? '',
    objective: ObjectiveKey.parse(match[2]),
  }));
  return { text: marked.replace(PROOF_MARK, '$1'), proves };
}
