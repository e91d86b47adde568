/** Adds the words of a session that has ended to the attempt log, from which the review and the progress are worked out. */
import type { Turn } from '@parley/domain';
import { recordUtterances } from '../../review/index.ts';
import type { Store } from '../../store/index.ts';
import type { Session } from '../session/session-rows.ts';

/** Turns that are in the log already are left out. */
export const recordTurns = (store: Store, session: Pick<Session, 'id'>, turns: readonly Turn[]): void =>
  recordUtterances(
    store,
    turns.flatMap((turn) =>
      turn.role === 'learner' && turn.assessment !== null ? [{ ...turn, assessment: turn.assessment }] : [],
    ),
    { source: 'session', sessionId: session.id },
  );
