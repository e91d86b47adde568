/** Reports about practices, which a device sends for its learner. */
import { z } from 'zod';
import { PracticeReport } from '../practice-report.ts';
import { serverBase } from './base.ts';

export const practiceReportsServerContract = {
  /**
   * A report that was received before changes nothing. An account can send a few a day, and a network several times as many.
   * Fails with `access.required` for an account that has neither an address nor access.
   */
  send: serverBase
    .route({ method: 'POST', path: '/v1/practice-reports', summary: 'Report a line of a coach, or a practice' })
    .input(PracticeReport)
    .output(z.strictObject({})),
};
