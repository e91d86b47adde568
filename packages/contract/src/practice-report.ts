/** A learner's report about a practice: about a line of its coach, or about the practice as a whole. */
import { PracticeId } from '@parley/domain';
import { z } from 'zod';
import { isStorableText, StorableTime } from './storable.ts';

export const MAX_REPORT_LENGTH = 500;
/**
 * The guided coach's longest line is far shorter; of a language model's line, the beginning is enough to identify it.
 */
export const MAX_REPORTED_LINE_LENGTH = 500;

export const ReportText = z.string().trim().min(1).max(MAX_REPORT_LENGTH).refine(isStorableText);

export const PracticeReport = z.strictObject({
  /** Generated on the device, so that a report that is sent twice is stored once. */
  id: z.uuid(),
  at: StorableTime,
  practiceId: PracticeId,
  /**
   * The step of the dialogue to which the line belongs; null for a whole practice, and for a line of a language model.
   */
  node: z.string().max(200).refine(isStorableText).nullable(),
  /** The coach's line, or its beginning; null for a whole practice. */
  line: z.string().min(1).max(MAX_REPORTED_LINE_LENGTH).refine(isStorableText).nullable(),
  /** The learner's comment. */
  text: ReportText,
});
export type PracticeReport = z.infer<typeof PracticeReport>;
