/** Reporting a line of a coach, or a practice, to the school. */
import { SessionId, TurnId } from '@parley/domain';
import { z } from 'zod';
import { ReportText } from '../../practice-report.ts';
import { base } from '../base.ts';

/**
 * `waiting`: the server cannot be reached, so the report waits on this device. `delayed`: it waits because the server
 * does not accept it yet, for example after too many in a day. `practice_gone`: the school no longer has the practice,
 * so the report was dropped.
 */
const REPORT_STATES = ['sent', 'waiting', 'delayed', 'practice_gone'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export const reportsContract = {
  /** Reports the coach's turn, or the session's practice without one. A report that cannot be sent yet waits on this device. */
  send: base
    .input(z.object({ sessionId: SessionId, turnId: TurnId.nullable(), text: ReportText }))
    .output(z.object({ state: z.enum(REPORT_STATES) })),
};
