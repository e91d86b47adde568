/** Adds the words of an ended session to the attempt log, from which review and progress are computed. */
import type { Turn } from '@parley/domain';
import { recordUtterances } from '../../review/index.ts';
import type { Store } from '../../store/index.ts';
import type { Session } from '../session/session-rows.ts';

/** Turns that are already in the log are left out. */
export const recordTurns = (store: Store, session: Pick<Session, 'id'>, turns: readonly Turn[]): void =>
  recordUtterances(
    store,
    turns.flatMap((turn) =>
      turn.role === 'learner' && turn.assessment !== null ? [{ ...turn, assessment: turn.assessment }] : [],
    ),
    { source: 'session', sessionId: session.id },
  );
