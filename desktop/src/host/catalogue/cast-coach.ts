/** Finds the coach who plays in a practice: the one whom the learner chose, unless the practice casts its own. */
import { castsCoach, type Row } from '@parley/domain';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { aiAgentProfiles, practices, type Store, users } from '../store/index.ts';

type Castable = Pick<Row<'practices'>, 'practiceId' | 'agentId' | 'agentName' | 'updatedAt'>;

/** Returns null when the practice's own coach plays. Reads the learner's choice once for all the practices that are asked for. */
export type FindPlayer = () => (practice: Castable) => Row<'aiAgentProfiles'> | null;

export function createFindPlayer(store: Store): FindPlayer {
  const { db } = store;
  /** Dialogues are long, so each is looked at once. */
  const known = new Map<string, { at: number; casts: boolean }>();

  function casts({ practiceId, agentName, updatedAt }: Castable): boolean {
    const before = known.get(practiceId);
    if (before?.at === updatedAt.getTime()) return before.casts;
    const isNamed = db
      .select({ isNamed: sql<number>`dialogue is null or instr(dialogue, ${agentName}) > 0` })
      .from(practices)
      .where(eq(practices.practiceId, practiceId))
      .get();
    const found = isNamed?.isNamed === 1 && castsCoach(dialogueOf(practiceId), agentName);
    known.set(practiceId, { at: updatedAt.getTime(), casts: found });
    return found;
  }

  const dialogueOf = (practiceId: Castable['practiceId']) =>
    db.select({ dialogue: practices.dialogue }).from(practices).where(eq(practices.practiceId, practiceId)).get()
      ?.dialogue ?? null;

  return () => {
    const chosen =
      db
        .select({ coach: aiAgentProfiles })
        .from(users)
        .innerJoin(aiAgentProfiles, eq(aiAgentProfiles.agentId, users.agentId))
        .where(and(eq(users.userId, store.identity().userId), isNull(aiAgentProfiles.deletedAt)))
        .get()?.coach ?? null;
    return (practice) => (chosen === null || chosen.agentId === practice.agentId || casts(practice) ? null : chosen);
  };
}
