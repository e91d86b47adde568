/** A learner's report about a practice: about a line of its coach, or about the practice as a whole. */
import { PracticeId } from '@parley/domain';
import { z } from 'zod';

export const MAX_REPORT_LENGTH = 500;
/**
 * The guided coach's longest line is far shorter; of a language model's line, the beginning is enough to identify it.
 */
export const MAX_REPORTED_LINE_LENGTH = 500;

/** PostgreSQL can store neither a zero byte nor an unpaired surrogate. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

export const ReportText = z.string().trim().min(1).max(MAX_REPORT_LENGTH).refine(isStorable);

export const PracticeReport = z.strictObject({
  /** Generated on the device, so that a report that is sent twice is stored once. */
  id: z.uuid(),
  at: z.iso.datetime(),
  practiceId: PracticeId,
  /**
   * The step of the dialogue to which the line belongs; null for a whole practice, and for a line of a language model.
   */
  node: z.string().max(200).refine(isStorable).nullable(),
  /** The coach's line, or its beginning; null for a whole practice. */
  line: z.string().min(1).max(MAX_REPORTED_LINE_LENGTH).refine(isStorable).nullable(),
  /** The learner's comment. */
  text: ReportText,
});
export type PracticeReport = z.infer<typeof PracticeReport>;
