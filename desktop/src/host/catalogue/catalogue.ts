/** Reads practices, briefings and coaches from the local copy of the catalogue. */
import type { CoachCard, PracticeBriefing, PracticeCard } from '@parley/contract';
import {
  assertNever,
  type CoachId,
  ENGLISH_LEVELS,
  type LearnerChoices,
  type ObjectiveId,
  ok,
  type PracticeDifficulty,
  type PracticeId,
  renameCoach,
  type Row,
  type RowState,
  startDifficulty,
} from '@parley/domain';
import { and, asc, eq, isNull, max, ne, sql } from 'drizzle-orm';
import { type HostResult, failed } from '../result/index.ts';
import { createFindPlayer } from './cast-coach.ts';
import { readLearnerTexts } from './learner-texts.ts';
import {
  aiAgentProfiles,
  industry,
  objectives,
  practiceHistory,
  practiceObjectives,
  practices,
  type Store,
} from '../store/index.ts';

export type StoredPractice = Row<'practices'>;

export interface Catalogue {
  /** Easiest first. */
  practices(): PracticeCard[];
  briefing(practiceId: PracticeId): HostResult<PracticeBriefing>;
  coaches(): CoachCard[];
  industries(): { id: string; name: string }[];
  /** Includes withdrawn practices, so that sessions of them stay readable. */
  practice(practiceId: PracticeId): StoredPractice | null;
  /** The coach who plays: the learner's chosen coach, unless the practice prescribes its own. */
  playerOf(practice: StoredPractice): CoachId;
  /** The scenario, with the name of the coach who plays inserted. */
  scenarioFor(practice: StoredPractice, agentId: CoachId): string;
  objectivesOf(practiceId: PracticeId): PracticeObjective[];
  /** The objectives that the practice had at `at`, plus those in `proved`, whatever the school has changed since. */
  objectivesAt(practiceId: PracticeId, at: Date, proved: ReadonlySet<ObjectiveId>): PracticeObjective[];
  /** What the learner may say in the practice at this difficulty: its useful words, and the replies of its dialogue. */
  learnerTexts(practiceId: PracticeId, difficulty: PracticeDifficulty): string[];
  /** The coach's first line to this learner; null when the practice has no written dialogue. */
  firstLine(practiceId: PracticeId, learner: LearnerChoices): string | null;
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
  agentId: practices.agentId,
  agentName: practices.agentName,
  agentImage: practices.agentImage,
  availability: practices.availability,
  updatedAt: practices.updatedAt,
  // Dialogues are long and no list shows them.
  hasScript: sql<boolean>`${practices.dialogue} IS NOT NULL`.mapWith(Boolean),
};

type CardRow = Pick<StoredPractice, Exclude<keyof typeof cardColumns, 'hasScript'>> & { hasScript: boolean };

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

const toCard = (row: CardRow, bestScore: number | null, player: Row<'aiAgentProfiles'> | null): PracticeCard => ({
  practiceId: row.practiceId,
  title: row.title,
  category: row.category,
  level: row.level,
  minutes: Math.max(1, Math.round(row.duration / 60)),
  descriptionSummary: renameCoach(row.descriptionSummary, row.agentName, player?.name ?? row.agentName),
  coverImageUrl: row.coverImageUrl,
  coachName: player?.name ?? row.agentName,
  coachAvatarUrl: player?.avatarUrl ?? row.agentImage,
  bestScore,
  state: cardState(row.availability),
  hasScript: row.hasScript,
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

/** Replaces a coach whose row has not been synced or was deleted, so that the session stays readable. */
const placeholderCoach = (agentId: CoachId): CoachCard => ({
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
  const findPlayer = createFindPlayer(store);
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
    return row === null ? placeholderCoach(agentId) : toCoachCard(row);
  };

  /** All objectives that the practice has or has ever had. */
  const everyObjectiveOf = (practiceId: PracticeId) =>
    db
      .select({
        objective: { objectiveId: objectives.objectiveId, key: objectives.key, description: objectives.description },
        addedAt: practiceObjectives.createdAt,
        unlinkedAt: practiceObjectives.deletedAt,
        deletedAt: objectives.deletedAt,
      })
      .from(practiceObjectives)
      .innerJoin(objectives, eq(objectives.objectiveId, practiceObjectives.objectiveId))
      .where(eq(practiceObjectives.practiceId, practiceId))
      .orderBy(asc(practiceObjectives.position))
      .all();

  const objectivesOf = (practiceId: PracticeId): PracticeObjective[] =>
    everyObjectiveOf(practiceId)
      .filter(({ unlinkedAt, deletedAt }) => unlinkedAt === null && deletedAt === null)
      .map(({ objective }) => objective);

  function objectivesAt(practiceId: PracticeId, at: Date, proved: ReadonlySet<ObjectiveId>): PracticeObjective[] {
    const installedAt = practiceById(practiceId)?.createdAt ?? at;
    return everyObjectiveOf(practiceId)
      .filter((row) => {
        const isRemoved = [row.unlinkedAt, row.deletedAt].some((removedAt) => removedAt !== null && removedAt <= at);
        // A server that installed the practice after the session gave all objectives a later date.
        const isAddedLater = row.addedAt > at && installedAt <= at;
        return proved.has(row.objective.objectiveId) || (!isRemoved && !isAddedLater);
      })
      .map(({ objective }) => objective);
  }

  return {
    practices() {
      const best = bestScores();
      const playerOf = findPlayer();
      return db
        .select(cardColumns)
        .from(practices)
        .where(isShown)
        .orderBy(asc(practices.category), asc(practices.title))
        .all()
        .toSorted((a, b) => ENGLISH_LEVELS.indexOf(a.level) - ENGLISH_LEVELS.indexOf(b.level))
        .map((row) => toCard(row, best.get(row.practiceId) ?? null, playerOf(row)));
    },

    briefing(practiceId) {
      const row = db
        .select()
        .from(practices)
        .where(and(eq(practices.practiceId, practiceId), isShown))
        .get();
      if (row === undefined) return failed('practice.not_found');
      const player = findPlayer()(row);
      const hasScript = row.dialogue !== null;
      const about = (text: string): string => renameCoach(text, row.agentName, player?.name ?? row.agentName);
      return ok({
        card: toCard({ ...row, hasScript }, bestScores().get(practiceId) ?? null, player),
        scenario: about(row.scenario),
        description: about(row.description),
        learnerRole: about(row.learnerRole),
        coach: player === null ? coach(row.agentId) : toCoachCard(player),
        objectives: objectivesOf(practiceId).map(({ objectiveId, description }) => ({ objectiveId, description })),
        usefulWords: row.usefulWords,
        hasScript,
      });
    },

    firstLine(practiceId, learner) {
      const practice = practiceById(practiceId);
      const dialogue = practice?.dialogue ?? null;
      if (practice === null || dialogue === null) return null;
      const start = dialogue.nodes.find(({ key }) => key === dialogue.start);
      const utterance = start?.say[startDifficulty(learner, practice.level)];
      if (utterance === undefined) return null;
      return utterance.replaceAll('{coach}', findPlayer()(practice)?.name ?? practice.agentName);
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

    learnerTexts: (practiceId, difficulty) => readLearnerTexts(store, practiceId, difficulty),
    practice: practiceById,
    playerOf: (practice) => findPlayer()(practice)?.agentId ?? practice.agentId,
    scenarioFor(practice, agentId) {
      const name = agentId === practice.agentId ? null : (coachRow(agentId)?.name ?? null);
      return name === null ? practice.scenario : renameCoach(practice.scenario, practice.agentName, name);
    },
    objectivesOf,
    objectivesAt,
    coach,
    coachRow,
  };
}
