/** Lists the coaches that the learner has had, most recent first. */
import type { CoachAssignment } from '@parley/contract';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { aiAgentProfiles, coachAssignmentHistory, type Store } from '../store/index.ts';

const SHOWN = 50;

/** Coaches whose rows were never pulled are left out. */
export const listCoachHistory = (store: Store): CoachAssignment[] =>
  store.db
    .select({
      agentId: aiAgentProfiles.agentId,
      name: aiAgentProfiles.name,
      avatarUrl: aiAgentProfiles.avatarUrl,
      from: coachAssignmentHistory.assignmentStartDate,
      until: coachAssignmentHistory.assignmentEndDate,
    })
    .from(coachAssignmentHistory)
    .innerJoin(aiAgentProfiles, eq(aiAgentProfiles.agentId, coachAssignmentHistory.agentId))
    .where(and(eq(coachAssignmentHistory.userId, store.identity().userId), isNull(coachAssignmentHistory.deletedAt)))
    .orderBy(desc(coachAssignmentHistory.assignmentStartDate))
    .limit(SHOWN)
    .all();
