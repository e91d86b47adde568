/** A learner's report of a practice: of a line of its coach, or of the practice as a whole. */
import { PracticeId } from '@parley/domain';
import { z } from 'zod';

export const MAX_REPORT_LENGTH = 500;
/** The guided coach's longest line is far shorter; the start of a language model's says which one it is. */
export const MAX_REPORTED_LINE_LENGTH = 500;

/** PostgreSQL cannot store a zero byte or half of a character. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

export const ReportText = z.string().trim().min(1).max(MAX_REPORT_LENGTH).refine(isStorable);

export const PracticeReport = z.strictObject({
  /** Made on the device, so that a report that is sent again is stored once. */
  id: z.uuid(),
  at: z.iso.datetime(),
  practiceId: PracticeId,
  /** The step of the dialogue to which the line belongs; null for a whole practice, and for a line of a language model. */
  node: z.string().max(200).refine(isStorable).nullable(),
  /** The coach's line, or its start; null for a whole practice. */
  line: z.string().min(1).max(MAX_REPORTED_LINE_LENGTH).refine(isStorable).nullable(),
  /** The learner's comment. */
  text: ReportText,
});
export type PracticeReport = z.infer<typeof PracticeReport>;
