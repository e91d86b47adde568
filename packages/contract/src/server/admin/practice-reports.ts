/** The reports that learners sent about practices. They are listed on Home, without their senders. */
import { z } from 'zod';
import { adminBase } from '../base.ts';

export const CLOSED_REPORT_RETENTION_DAYS = 30;

export const practiceReportsContract = {
  closePracticeReport: adminBase
    .route({ method: 'POST', path: '/v1/admin/close-practice-report', summary: 'Take a report from the list' })
    .input(z.strictObject({ reportId: z.uuid() }))
    .output(z.strictObject({})),
};
