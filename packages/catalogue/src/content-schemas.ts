/** The schemas of the starter content files, which are validated before bundling. */
import { CoachManner, CoachVoice, COURSE_STATUSES, type ObjectiveProof, ObjectiveKey } from '@parley/domain';
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

/** Parses `I am [very sorry](apologise).` into the sentence "I am very sorry." and a proof of `apologise`. */
export function parseMarkedSentence(marked: string): { text: string; proves: ObjectiveProof[] } {
  const proves = [...marked.matchAll(PROOF_MARK)].map((match) => ({
    words: match[1] ?? '',
    objective: ObjectiveKey.parse(match[2]),
  }));
  return { text: marked.replace(PROOF_MARK, '$1'), proves };
}
