/** Reporting a line of a coach, or a practice, to the school. */
import { SessionId, TurnId } from '@parley/domain';
import { z } from 'zod';
import { ReportText } from '../../practice-report.ts';
import { base } from '../base.ts';

export const reportsContract = {
  /** Reports the coach's turn, or the session's practice without one. Without a connection, the report waits on this device. */
  send: base
    .input(z.object({ sessionId: SessionId, turnId: TurnId.nullable(), text: ReportText }))
    .output(z.object({ state: z.enum(['sent', 'waiting']) })),
};
