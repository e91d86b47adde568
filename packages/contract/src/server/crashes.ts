/** Crash reports of the app, which a device sends when its learner agrees. */
import { z } from 'zod';
import { CrashReport } from '../crash-report.ts';
import { serverBase } from './base.ts';

export const crashServerContract = {
  /** A report that was received before changes nothing. */
  report: serverBase
    .route({ method: 'POST', path: '/v1/crashes', summary: 'Report a crash of the app, with the learner’s consent' })
    .input(CrashReport)
    .output(z.strictObject({})),
};
