/** Learners' reports about practices, without their senders. The oldest open ones are also on Home. */
import { z } from 'zod';
import { adminBase } from '../base.ts';
import { listRequest, listResult, MAX_LIST_PAGE_SIZE } from './list.ts';

export const CLOSED_REPORT_RETENTION_DAYS = 30;

const PracticeReportRow = z.strictObject({
  id: z.uuid(),
  receivedAt: z.iso.datetime(),
  practiceId: z.uuid(),
  /** Null if the practice no longer exists. */
  title: z.string().nullable(),
  /** The step of the dialogue; null for a whole practice, and for a line of a language model. */
  node: z.string().nullable(),
  /** The coach's line; null for a whole practice. */
  line: z.string().nullable(),
  /** The learner's comment. */
  text: z.string(),
  closedAt: z.iso.datetime().nullable(),
});
export type PracticeReportRow = z.infer<typeof PracticeReportRow>;

const PracticeReportsRequest = listRequest(['receivedAt']).extend({
  state: z.enum(['open', 'closed']).default('open'),
});
export type PracticeReportsRequest = z.infer<typeof PracticeReportsRequest>;

export const practiceReportsContract = {
  practiceReports: adminBase
    .route({ method: 'POST', path: '/v1/admin/practice-reports', summary: 'A page of the reports about practices' })
    .input(PracticeReportsRequest)
    .output(listResult(PracticeReportRow)),
  /** Reports that do not exist are skipped. */
  closePracticeReports: adminBase
    .route({ method: 'POST', path: '/v1/admin/close-practice-reports', summary: 'Take reports from the list' })
    .input(z.strictObject({ reportIds: z.array(z.uuid()).min(1).max(MAX_LIST_PAGE_SIZE) }))
    .output(z.strictObject({})),
  closePracticeReport: adminBase
    .route({ method: 'POST', path: '/v1/admin/close-practice-report', summary: 'Take a report from the list' })
    .input(z.strictObject({ reportId: z.uuid() }))
    .output(z.strictObject({})),
};
