/** What can be practised, read from this device's own copy: cards, briefings, courses, coaches. */
import type { CoachCard, CourseCard, PracticeBriefing, PracticeCard } from '@parley/contract';
import {
  assertNever,
  type CoachId,
  type ObjectiveId,
  ok,
  type PracticeId,
  type Row,
  type RowState,
} from '@parley/domain';
import { and, asc, eq, getTableColumns, isNull, max, ne } from 'drizzle-orm';
import { type Answer, failed } from '../answer/index.ts';
import {
  aiAgentProfiles,
  courses,
  courseSectionPractices,
  courseSections,
  industry,
  objectives,
  practiceHistory,
  practiceObjectives,
  practices,
  type Store,
} from '../store/index.ts';

export type StoredPractice = Row<'practices'>;

export interface Catalogue {
  practices(): PracticeCard[];
  briefing(practiceId: PracticeId): Answer<PracticeBriefing>;
  courses(): CourseCard[];
  coaches(): CoachCard[];
  industries(): { id: string; name: string }[];
  /** Also those that were withdrawn: a session that was held on them must stay readable. */
  practice(practiceId: PracticeId): StoredPractice | null;
  objectivesOf(practiceId: PracticeId): PracticeObjective[];
  coach(agentId: CoachId): CoachCard;
  coachRow(agentId: CoachId): Row<'aiAgentProfiles'> | null;
}

export interface PracticeObjective {
  objectiveId: ObjectiveId;
  key: Row<'objectives'>['key'];
  description: string;
}

const cardColumns = {
  practiceId: practices.practiceId,
  title: practices.title,
  category: practices.category,
  level: practices.level,
  duration: practices.duration,
  descriptionSummary: practices.descriptionSummary,
  coverImageUrl: practices.coverImageUrl,
  agentName: practices.agentName,
  agentImage: practices.agentImage,
  availability: practices.availability,
};

type CardRow = Pick<StoredPractice, keyof typeof cardColumns>;

const cardState = (availability: RowState): PracticeCard['state'] => {
  switch (availability) {
    case 'ready':
      return 'ready';
    case 'not_ready':
    case 'not_visible':
      return 'coming_soon';
    default:
      return assertNever(availability);
  }
};

const toCard = (row: CardRow, bestScore: number | null): PracticeCard => ({
  practiceId: row.practiceId,
  title: row.title,
  category: row.category,
  level: row.level,
  minutes: Math.max(1, Math.round(row.duration / 60)),
  descriptionSummary: row.descriptionSummary,
  coverImageUrl: row.coverImageUrl,
  coachName: row.agentName,
  coachAvatarUrl: row.agentImage,
  bestScore,
  state: cardState(row.availability),
});

const toCoachCard = (row: Row<'aiAgentProfiles'>): CoachCard => ({
  agentId: row.agentId,
  name: row.name,
  avatarUrl: row.avatarUrl,
  communicationStyle: row.communicationStyle,
  characterTraits: row.characterTraits,
  skills: row.skills,
  voice: row.voice,
});

/** Stands in for a coach whose row has not come yet, or has gone: the learner's own session stays readable. */
const unknownCoach = (agentId: CoachId): CoachCard => ({
  agentId,
  name: 'Coach',
  avatarUrl: '',
  communicationStyle: '',
  characterTraits: [],
  skills: [],
  voice: { gender: 'female', locale: 'en', rate: 1, pitch: 1 },
});

export function createCatalogue(store: Store): Catalogue {
  const { db } = store;
  const isShown = and(isNull(practices.deletedAt), ne(practices.availability, 'not_visible'));

  function bestScores(): Map<string, number | null> {
    const rows = db
      .select({ practiceId: practiceHistory.practiceId, best: max(practiceHistory.score) })
      .from(practiceHistory)
      .where(
        and(
          eq(practiceHistory.userId, store.identity().userId),
          eq(practiceHistory.status, 'completed'),
          isNull(practiceHistory.deletedAt),
        ),
      )
      .groupBy(practiceHistory.practiceId)
      .all();
    return new Map(rows.map((row) => [row.practiceId, row.best]));
  }

  const practiceById = (practiceId: PracticeId): StoredPractice | null =>
    db.select().from(practices).where(eq(practices.practiceId, practiceId)).get() ?? null;

  const coachRow = (agentId: CoachId): Row<'aiAgentProfiles'> | null =>
    db.select().from(aiAgentProfiles).where(eq(aiAgentProfiles.agentId, agentId)).get() ?? null;

  const coach = (agentId: CoachId): CoachCard => {
    const row = coachRow(agentId);
    return row === null ? unknownCoach(agentId) : toCoachCard(row);
  };

  const objectivesOf = (practiceId: PracticeId): PracticeObjective[] =>
    db
      .select({ objectiveId: objectives.objectiveId, key: objectives.key, description: objectives.description })
      .from(practiceObjectives)
      .innerJoin(objectives, eq(objectives.objectiveId, practiceObjectives.objectiveId))
      .where(
        and(
          eq(practiceObjectives.practiceId, practiceId),
          isNull(practiceObjectives.deletedAt),
          isNull(objectives.deletedAt),
        ),
      )
      .orderBy(asc(practiceObjectives.position))
      .all();

  return {
    practices() {
      const best = bestScores();
      return db
        .select(cardColumns)
        .from(practices)
        .where(isShown)
        .orderBy(asc(practices.category), asc(practices.title))
        .all()
        .map((row) => toCard(row, best.get(row.practiceId) ?? null));
    },

    briefing(practiceId) {
      const row = db
        .select()
        .from(practices)
        .where(and(eq(practices.practiceId, practiceId), isShown))
        .get();
      if (row === undefined) return failed('practice.not_found');
      return ok({
        card: toCard(row, bestScores().get(practiceId) ?? null),
        scenario: row.scenario,
        description: row.description,
        learnerRole: row.learnerRole,
        coach: coach(row.agentId),
        objectives: objectivesOf(practiceId).map(({ objectiveId, description }) => ({ objectiveId, description })),
        usefulWords: row.usefulWords,
        hasScript: row.dialogue !== null,
      });
    },

    courses() {
      const best = bestScores();
      const sections = db
        .select(getTableColumns(courseSections))
        .from(courseSections)
        .where(isNull(courseSections.deletedAt))
        .orderBy(asc(courseSections.courseId), asc(courseSections.order))
        .all();
      const placed = db
        .select({ courseSectionId: courseSectionPractices.courseSectionId, card: cardColumns })
        .from(courseSectionPractices)
        .innerJoin(practices, eq(practices.practiceId, courseSectionPractices.practiceId))
        .where(and(isNull(courseSectionPractices.deletedAt), isShown))
        .orderBy(asc(courseSectionPractices.position))
        .all();
      const placedBySection = Map.groupBy(placed, (row) => row.courseSectionId);
      const sectionsByCourse = Map.groupBy(sections, (section) => section.courseId);
      return db
        .select()
        .from(courses)
        .where(isNull(courses.deletedAt))
        .orderBy(asc(courses.status), asc(courses.title))
        .all()
        .map((course) => ({
          courseId: course.courseId,
          title: course.title,
          description: course.description,
          status: course.status,
          sections: (sectionsByCourse.get(course.courseId) ?? []).map((section) => ({
            courseSectionId: section.courseSectionId,
            title: section.title,
            descriptions: section.descriptions,
            practices: (placedBySection.get(section.courseSectionId) ?? []).map(({ card }) =>
              toCard(card, best.get(card.practiceId) ?? null),
            ),
          })),
        }));
    },

    coaches: () =>
      db
        .select()
        .from(aiAgentProfiles)
        .where(isNull(aiAgentProfiles.deletedAt))
        .orderBy(asc(aiAgentProfiles.name))
        .all()
        .map(toCoachCard),

    industries: () =>
      db
        .select({ id: industry.id, name: industry.name })
        .from(industry)
        .where(isNull(industry.deletedAt))
        .orderBy(asc(industry.name))
        .all(),

    practice: practiceById,
    objectivesOf,
    coach,
    coachRow,
  };
}
