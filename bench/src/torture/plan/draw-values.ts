/** Values of a row as they travel, drawn so that no two edits say the same. */
import type { EditedKey, Wire } from '../messages.ts';
import type { Random } from '../random.ts';
import type { CatalogueIds } from './catalogue-ids.ts';

const LEVELS = ['easy', 'intermediate', 'hard'] as const;
/** Text that is easily mangled on its way. */
const AWKWARD = `O'Reilly said "naïve" \\ 50 % — 日本語 👩‍🏫\n\t`;

const text = (random: Random): string => `${random.uuid().slice(0, 8)} ${random.isLucky(0.2) ? AWKWARD : ''}`.trimEnd();
const score = (random: Random): number => random.int(0, 1_000) / 10;
const time = (random: Random): string => new Date(Date.UTC(2026, 0, 1) + random.int(0, 2 ** 31)).toISOString();
const orNull = <Value>(random: Random, value: Value): Value | null => (random.isLucky(0.15) ? null : value);

const turns = (random: Random): Wire[] =>
  drawTurns(random, random.isLucky(0.15) ? random.int(20, 60) : random.int(0, 2));

export function drawTurns(random: Random, count: number): Wire[] {
  return Array.from({ length: count }, () => ({
    role: 'learner',
    turnId: random.uuid(),
    at: time(random),
    text: `${text(random)} ${'and so on '.repeat(random.int(0, 60))}`.trimEnd(),
    mode: 'typed',
    node: null,
    fitted: true,
    recordingId: null,
    assessment: null,
    hintLevel: random.int(0, 3),
  }));
}

const feedback = (random: Random): Wire => ({
  best: text(random),
  fix: text(random),
  nextStep: text(random),
  wordsToTrain: [],
});

export const sessionValues = (random: Random, ids: CatalogueIds): Wire => ({
  practiceId: random.pick(ids.practiceIds),
  agentId: random.pick(ids.coachIds),
  feedback: null,
  score: orNull(random, score(random)),
  accuracyScore: null,
  fluencyScore: null,
  prosodyScore: null,
  completenessScore: null,
  pronScore: null,
  wordsScore: null,
  entireConversation: [],
  completedObjectives: [],
  duration: random.int(0, 3_000),
  communicationStyle: random.pick(['text', 'audio']),
  status: random.pick(['in_progress', 'completed']),
  summary: text(random),
  difficulty: random.pick(LEVELS),
  pausedAt: null,
});

type Draw = (random: Random, ids: CatalogueIds) => Wire[string];

/** Fields that a learner may change later, by table. */
const EDITABLE: Record<EditedKey, Record<string, Draw>> = {
  users: {
    firstName: (random) => orNull(random, text(random)),
    lastName: (random) => orNull(random, text(random)),
    jobTitle: (random) => text(random),
    agentId: (random, { coachIds }) => random.pick(coachIds),
    englishLevel: (random) => random.pick(['beginner', 'intermediate', 'advanced']),
    emailNotifications: (random) => random.isLucky(0.5),
    practiceDifficulty: (random) => random.pick(LEVELS),
    practiceStyle: (random) => random.pick(['turn_based', 'ultra_realistic']),
    hasSeenOnboarding: (random) => random.isLucky(0.5),
    industry: (random, { industryIds }) => (industryIds.length === 0 ? null : random.pick(industryIds)),
  },
  practiceHistory: {
    summary: (random) => text(random),
    score: (random) => score(random),
    fluencyScore: (random) => orNull(random, score(random)),
    wordsScore: (random) => score(random),
    duration: (random) => random.int(0, 100_000),
    status: (random) => random.pick(['in_progress', 'completed', 'failed_to_generate_score']),
    pausedAt: (random) => orNull(random, time(random)),
    feedback: (random) => orNull(random, feedback(random)),
    entireConversation: (random) => turns(random),
  },
  coachAssignmentHistory: {
    agentId: (random, { coachIds }) => random.pick(coachIds),
    assignmentStartDate: (random) => time(random),
    assignmentEndDate: (random) => orNull(random, time(random)),
  },
  enrollments: { enrollmentDate: (random) => time(random) },
  pronunciationImprovementSummary: {},
  userCourseInteraction: {},
  aiConversations: {},
  feedbackDetails: {},
};

export function drawChange(random: Random, key: EditedKey, ids: CatalogueIds): Wire {
  const draws = Object.entries(EDITABLE[key]);
  const changed = Array.from({ length: random.int(1, 3) }, () => random.pick(draws));
  return Object.fromEntries(changed.map(([name, draw]) => [name, draw(random, ids)]));
}

/** A new row, complete but for its key and its learner. */
export function drawRow(random: Random, key: EditedKey, ids: CatalogueIds, interactionId: string | null): Wire {
  switch (key) {
    case 'practiceHistory':
      return { ...sessionValues(random, ids), entireConversation: turns(random) };
    case 'coachAssignmentHistory':
      return {
        agentId: random.pick(ids.coachIds),
        assignmentStartDate: time(random),
        assignmentEndDate: orNull(random, time(random)),
      };
    case 'enrollments':
      return { courseId: random.pick(ids.courseIds), enrollmentDate: time(random) };
    case 'userCourseInteraction':
      return {
        courseId: orNull(random, random.pick(ids.courseIds)),
        interactionType: random.pick(['practice', 'video', 'section_opened']),
        timestamp: time(random),
        details: { sessionId: random.uuid(), practiceId: null, videoId: null, courseSectionId: null },
      };
    case 'aiConversations':
      return {
        interactionId,
        courseId: null,
        content: text(random),
        role: random.pick(['coach', 'learner']),
      };
    case 'feedbackDetails':
      return {
        interactionId,
        performanceCategories: [{ category: 'fluency', score: score(random) }],
        suggestions: [text(random)],
        score: orNull(random, score(random)),
      };
    default:
      throw new Error(`no row of ${key} is made`);
  }
}
