/** Reads and writes the rows of one session: the session, its turns, and the interaction they belong to. */
import type { CoursePlace } from '@parley/contract';
import { ok, packAssessment, type Row, type SessionId, toTurnFields, type Turn } from '@parley/domain';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type HostResult, failed } from '../../result/index.ts';
import {
  hasMissingTurns,
  insertRow,
  insertRows,
  type NewRow,
  practiceHistory,
  type Store,
  updateRow,
  userCourseInteraction,
} from '../../store/index.ts';
import { activeSeconds, markActiveUntilNow } from './active-time.ts';

export type Session = Row<'practiceHistory'>;

/** Finds a session of the current learner that was not discarded. Some of its turns may still be on the server only. */
export function findSession(store: Store, sessionId: SessionId): HostResult<Session> {
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

/**
 * Finds a session with all of its turns, which are required to open or judge it. New turns in an open session are
 * stored even if earlier ones are missing.
 */
export function findWholeSession(store: Store, sessionId: SessionId): HostResult<Session> {
  const session = findSession(store, sessionId);
  return session.ok && hasMissingTurns(store, sessionId) ? failed('session.not_downloaded') : session;
}

type Interaction = Pick<Row<'userCourseInteraction'>, 'interactionId' | 'courseId'>;

const findInteraction = (store: Store, session: Pick<Session, 'id'>): Interaction | undefined =>
  store.db
    .select({ interactionId: userCourseInteraction.interactionId, courseId: userCourseInteraction.courseId })
    .from(userCourseInteraction)
    // SQLite uses the index only if the expression is spelt exactly as in the index.
    .where(sql`details ->> '$.sessionId' = ${session.id}`)
    .get();

/** Returns the interaction that a session's turns and feedback belong to. */
export const findInteractionId = (store: Store, session: Pick<Session, 'id'>): string | null =>
  findInteraction(store, session)?.interactionId ?? null;

/** Returns the interaction and creates it if it never arrived from the device that started the session. */
export function findOrCreateInteraction(
  store: Store,
  session: Pick<Session, 'id' | 'practiceId' | 'userId'>,
  place: CoursePlace | null = null,
): Interaction {
  const known = findInteraction(store, session);
  if (known !== undefined) return known;
  const { courseId = null, courseSectionId = null } = place ?? {};
  const interactionId = store.newId();
  insertRow(store, 'userCourseInteraction', {
    interactionId,
    userId: session.userId,
    courseId,
    interactionType: 'practice',
    timestamp: store.clock.now(),
    details: { sessionId: session.id, practiceId: session.practiceId, videoId: null, courseSectionId },
  });
  return { interactionId, courseId };
}

/** Appends turns to a session, one row per turn. Call this inside a transaction. */
export function appendTurns(
  store: Store,
  session: Session,
  turns: readonly Turn[],
  changes: Partial<NewRow<'practiceHistory'>> = {},
): void {
  const { interactionId, courseId } = findOrCreateInteraction(store, session);
  updateRow(store, 'practiceHistory', session.id, { ...changes, duration: activeSeconds(store, session) });
  markActiveUntilNow(store, session.id);
  const last = session.entireConversation.at(-1);
  insertRows(
    store,
    'aiConversations',
    turns.map((turn, index) => ({
      ...toTurnFields(turn, {
        sessionId: session.id,
        previousTurnId: (index === 0 ? last : turns[index - 1])?.turnId ?? null,
      }),
      interactionId,
      userId: session.userId,
      courseId,
    })),
  );
}

/** Stores the text and scores of turns that became known later. Call this inside a transaction. */
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

/** Whether a spoken turn has not been transcribed. */
export const isUntranscribed = (turn: Turn): boolean => turn.text === '';

/** Returns the last turn that has words. */
export const lastTurnWithWords = ({ entireConversation }: Pick<Session, 'entireConversation'>): Turn | undefined =>
  entireConversation.findLast((turn) => !isUntranscribed(turn));

/** Whether the coach's last words were a goodbye; a learner may ask for two more minutes after one. */
export const hasEnded = (session: Pick<Session, 'entireConversation'>): boolean => {
  const last = session.entireConversation.findLast((turn) => turn.role === 'coach');
  return last?.role === 'coach' && last.kind === 'goodbye';
};
