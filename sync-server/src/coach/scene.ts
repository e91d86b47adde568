/** What a coach must know of a conversation, read from the server's own rows: a device can make up none of it. */
import type { EnglishLevel, ObjectiveId } from '@parley/domain';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { linesOf } from './memory.ts';

export interface CoachScene {
  persona: { name: string; communicationStyle: string; skills: readonly string[]; characterTraits: readonly string[] };
  practice: { title: string; scenario: string; learnerRole: string; usefulWords: readonly string[] };
  learner: {
    firstName: string | null;
    level: EnglishLevel | null;
    jobTitle: string | null;
    industry: string | null;
  };
  objectives: readonly { objectiveId: ObjectiveId; description: string }[];
  /** Lines about the learner. */
  remembered: readonly string[];
}

/** Throws `practice.not_found` for what is not there to be practised. */
export async function readScene(
  db: Database,
  of: { userId: string; practiceId: string; agentId: string },
): Promise<CoachScene> {
  const { practices, aiAgentProfiles, users, industry, objectives, practiceObjectives } = tables;
  const [[practice], [persona], [learner], goals] = await Promise.all([
    db
      .select()
      .from(practices)
      .where(and(eq(practices.practiceId, of.practiceId), isNull(practices.deletedAt))),
    db.select().from(aiAgentProfiles).where(eq(aiAgentProfiles.agentId, of.agentId)),
    db
      .select({ user: users, industryName: industry.name })
      .from(users)
      .leftJoin(industry, eq(industry.id, users.industry))
      .where(eq(users.userId, of.userId)),
    db
      .select({ objectiveId: objectives.objectiveId, description: objectives.description })
      .from(practiceObjectives)
      .innerJoin(objectives, eq(objectives.objectiveId, practiceObjectives.objectiveId))
      .where(and(eq(practiceObjectives.practiceId, of.practiceId), isNull(practiceObjectives.deletedAt)))
      .orderBy(asc(practiceObjectives.position)),
  ]);
  if (practice === undefined || persona === undefined || practice.availability !== 'ready')
    throw failure('practice.not_found');
  if (learner === undefined) throw failure('auth.required');
  const { name, communicationStyle, skills, characterTraits } = persona;
  const { title, scenario, learnerRole, usefulWords } = practice;
  const { firstName, englishLevel, jobTitle, summary } = learner.user;
  return {
    persona: { name, communicationStyle, skills, characterTraits },
    practice: { title, scenario, learnerRole, usefulWords: usefulWords.map(({ word }) => word) },
    learner: { firstName, level: englishLevel, jobTitle, industry: learner.industryName },
    objectives: goals,
    remembered: linesOf(summary),
  };
}
