/** Looks for a reason to suggest another level in the learner's latest spoken sessions. */
import type { TodayView } from '@parley/contract';
import { type SessionId, suggestLevelChange } from '@parley/domain';
import { and, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import { practiceHistory, type Store, users } from '../store/index.ts';

const SESSIONS_READ = 10;

/** Sessions are ignored up to the one that was the newest when the learner last answered a suggestion. */
export function suggestLevel(store: Store, answeredAt: SessionId | null): TodayView['levelSuggestion'] {
  const { db } = store;
  const { userId } = store.identity();
  const from =
    db.select({ level: users.englishLevel }).from(users).where(eq(users.userId, userId)).get()?.level ?? null;
  if (from === null) return null;
  const answered =
    answeredAt === null
      ? undefined
      : db
          .select({ at: practiceHistory.createdAt })
          .from(practiceHistory)
          .where(eq(practiceHistory.id, answeredAt))
          .get();
  const recent = db
    .select({ id: practiceHistory.id, difficulty: practiceHistory.difficulty, score: practiceHistory.score })
    .from(practiceHistory)
    .where(
      and(
        eq(practiceHistory.userId, userId),
        eq(practiceHistory.communicationStyle, 'audio'),
        eq(practiceHistory.status, 'completed'),
        isNotNull(practiceHistory.score),
        isNull(practiceHistory.deletedAt),
        answered === undefined ? undefined : gt(practiceHistory.createdAt, answered.at),
      ),
    )
    .orderBy(desc(practiceHistory.createdAt))
    .limit(SESSIONS_READ)
    .all()
    .flatMap(({ score, ...session }) => (score === null ? [] : [{ ...session, score }]));
  const to = suggestLevelChange(from, recent);
  const newest = recent[0];
  return to === null || newest === undefined ? null : { from, to, newestSessionId: newest.id };
}
