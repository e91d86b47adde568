/** Finds the coach who plays in a practice: the learner's chosen coach, unless the practice prescribes its own. */
import { castsCoach, type Row } from '@parley/domain';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { aiAgentProfiles, practices, type Store, users } from '../store/index.ts';

type Castable = Pick<Row<'practices'>, 'practiceId' | 'agentId' | 'agentName' | 'updatedAt'>;

/** Returns null when the practice's own coach plays. Reads the learner's choice once for all requested practices. */
export type FindPlayer = () => (practice: Castable) => Row<'aiAgentProfiles'> | null;

export function createFindPlayer(store: Store): FindPlayer {
  const { db } = store;
  /** Dialogues are long, so each is searched only once. */
  const known = new Map<string, { at: number; casts: boolean }>();

  function casts({ practiceId, agentName, updatedAt }: Castable): boolean {
    const before = known.get(practiceId);
    if (before?.at === updatedAt.getTime()) return before.casts;
    const found = isNamed(practiceId, agentName) && castsCoach(sceneOf(practiceId), agentName);
    known.set(practiceId, { at: updatedAt.getTime(), casts: found });
    return found;
  }

  /** A cheap text search first, so that most dialogues are not parsed. */
  const isNamed = (practiceId: Castable['practiceId'], agentName: string): boolean =>
    db
      .select({ isNamed: sql<number>`dialogue is null or instr(dialogue, ${agentName}) > 0` })
      .from(practices)
      .where(eq(practices.practiceId, practiceId))
      .get()?.isNamed === 1;

  function sceneOf(practiceId: Castable['practiceId']): Parameters<typeof castsCoach>[0] {
    const { dialogue, scenario, description, learnerRole } = practices;
    const row = db
      .select({ dialogue, scenario, description, learnerRole })
      .from(practices)
      .where(eq(practices.practiceId, practiceId))
      .get();
    return {
      dialogue: row?.dialogue ?? null,
      scene: [row?.scenario, row?.description, row?.learnerRole].join('\n'),
    };
  }

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
