/** The rows of one session: how it is found, how a turn is stored, what hangs on what. */
import { ok, packAssessment, type Row, type SessionId, toTurnFields, type Turn } from '@parley/domain';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Answer, failed } from '../answer/index.ts';
import {
  insertRow,
  type NewRow,
  practiceHistory,
  type Store,
  updateRow,
  userCourseInteraction,
} from '../store/index.ts';
import { countedSeconds, markCounted } from './counted-time.ts';

export type Session = Row<'practiceHistory'>;

/** A session of this learner that was not discarded. */
export function findSession(store: Store, sessionId: SessionId): Answer<Session> {
  const session = store.db
    .select()
    .from(practiceHistory)
    .where(
      and(
        eq(practiceHistory.id, sessionId),
        eq(practiceHistory.userId, store.identity().userId),
        isNull(practiceHistory.deletedAt),
      ),
    )
    .get();
  return session === undefined ? failed('session.not_found') : ok(session);
}

/** The interaction that a session's turns and feedback hang on. */
export function interactionIdOf(store: Store, session: Pick<Session, 'id'>): string | null {
  const known = store.db
    .select({ interactionId: userCourseInteraction.interactionId })
    .from(userCourseInteraction)
    // Spelt as the index on it is.
    .where(sql`details ->> '$.sessionId' = ${session.id}`)
    .get();
  return known?.interactionId ?? null;
}

/** The same, made anew should another device's never have come. */
export function interactionOf(store: Store, session: Pick<Session, 'id' | 'practiceId' | 'userId'>): string {
  const known = interactionIdOf(store, session);
  if (known !== null) return known;
  const interactionId = store.newId();
  insertRow(store, 'userCourseInteraction', {
    interactionId,
    userId: session.userId,
    courseId: null,
    interactionType: 'practice',
    timestamp: store.clock.now(),
    details: { sessionId: session.id, practiceId: session.practiceId, videoId: null, courseSectionId: null },
  });
  return interactionId;
}

/** Stores new turns of a session, a row each, at the end of its conversation. Call it inside a transaction. */
export function storeTurns(
  store: Store,
  session: Session,
  turns: readonly Turn[],
  changes: Partial<NewRow<'practiceHistory'>> = {},
): void {
  const interactionId = interactionOf(store, session);
  updateRow(store, 'practiceHistory', session.id, { ...changes, duration: countedSeconds(store, session) });
  markCounted(store, session.id);
  let previousTurnId = session.entireConversation.at(-1)?.turnId ?? null;
  for (const turn of turns) {
    insertRow(store, 'aiConversations', {
      ...toTurnFields(turn, { sessionId: session.id, previousTurnId }),
      interactionId,
      userId: session.userId,
      courseId: null,
    });
    previousTurnId = turn.turnId;
  }
}

/** Stores what became known of turns after they were said: their words, their score. Call it inside a transaction. */
export function updateTurns(
  store: Store,
  { entireConversation }: Pick<Session, 'entireConversation'>,
  turns: readonly Turn[],
): void {
  const before = new Map(entireConversation.map((turn) => [turn.turnId, turn]));
  for (const turn of turns) {
    const known = before.get(turn.turnId);
    if (known === undefined || known === turn) continue;
    updateRow(store, 'aiConversations', turn.turnId, {
      content: turn.text,
      ...(turn.role === 'learner' ? { fitted: turn.fitted } : {}),
      ...(turn.role === 'learner' && known.role === 'learner' && known.assessment === null && turn.assessment !== null
        ? { assessment: packAssessment(turn.assessment) }
        : {}),
    });
  }
}

/** What was spoken, and nobody could write down yet. */
export const isWordless = (turn: Turn): boolean => turn.text === '';

/** What a coach has to go by. */
export const lastWords = ({ entireConversation }: Pick<Session, 'entireConversation'>): Turn | undefined =>
  entireConversation.findLast((turn) => !isWordless(turn));

export const hasEnded = (session: Pick<Session, 'entireConversation'>): boolean =>
  session.entireConversation.some((turn) => turn.role === 'coach' && turn.kind === 'goodbye');
