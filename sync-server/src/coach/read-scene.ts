/** Reads the scene of a conversation from the server's own rows, so that a device cannot invent it. */
import { type EnglishLevel, type ObjectiveId, renameCoach } from '@parley/domain';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { DomainError } from '../domain-error.ts';
import { splitLines } from './memory.ts';

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
  /** The coach's memory of the learner. */
  remembered: readonly string[];
}

/** Throws `practice.not_found` when the practice or coach does not exist. */
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
    throw new DomainError('practice.not_found');
  if (learner === undefined) throw new DomainError('auth.required');
  const { name, communicationStyle, skills, characterTraits } = persona;
  const { title, scenario, learnerRole, usefulWords, agentName } = practice;
  // The coach may be a different one from the one for which the practice was written.
  const aboutPersona = (text: string): string => renameCoach(text, agentName, name);
  const { firstName, englishLevel, jobTitle, summary } = learner.user;
  return {
    persona: { name, communicationStyle, skills, characterTraits },
    practice: {
      title,
      scenario: aboutPersona(scenario),
      learnerRole: aboutPersona(learnerRole),
      usefulWords: usefulWords.map(({ word }) => word),
    },
    learner: { firstName, level: englishLevel, jobTitle, industry: learner.industryName },
    objectives: goals,
    remembered: splitLines(summary),
  };
}
