/** Values of a row as they travel, drawn so that no two edits say the same. */
import type { EditedKey, Wire } from '../messages.ts';
import type { Random } from '../random.ts';
import type { CatalogueIds } from './catalogue-ids.ts';
import { drawAssessment } from './draw-assessment.ts';

const LEVELS = ['easy', 'intermediate', 'hard'] as const;
/** Text that is easily mangled on its way. */
const AWKWARD = `O'Reilly said "naïve" \\ 50 % — 日本語 👩‍🏫\n\t`;

const text = (random: Random): string => `${random.uuid().slice(0, 8)} ${random.isLucky(0.2) ? AWKWARD : ''}`.trimEnd();
const score = (random: Random): number => random.int(0, 1_000) / 10;
export const time = (random: Random): string => new Date(Date.UTC(2026, 0, 1) + random.int(0, 2 ** 31)).toISOString();
const orNull = <Value>(random: Random, value: Value): Value | null => (random.isLucky(0.15) ? null : value);

/** What travels of a new turn, but for whose it is and what it follows. Spoken ones may come before their words. */
export function drawTurn(random: Random): Wire {
  const shared = { courseId: null, saidAt: time(random), node: random.isLucky(0.3) ? 'start' : null };
  if (random.isLucky(0.3))
    return { ...shared, role: 'coach', kind: random.pick(['line', 'rephrase']), content: text(random), ...SILENT };
  const isVoice = random.isLucky(0.6);
  const isLate = isVoice && random.isLucky(0.6);
  return {
    ...shared,
    role: 'learner',
    kind: null,
    mode: isVoice ? 'voice' : 'typed',
    content: isLate ? '' : `${text(random)} ${'and so on '.repeat(random.int(0, 60))}`.trimEnd(),
    fitted: random.isLucky(0.8),
    recordingId: isVoice ? random.uuid() : null,
    hintLevel: random.int(0, 3),
    assessment: isVoice && !isLate && random.isLucky(0.5) ? assessment(random, random.int(0, 12)) : null,
  };
}

const SILENT = { mode: null, fitted: true, recordingId: null, hintLevel: 0, assessment: null };

export const assessment = (random: Random, words: number): Wire => drawAssessment(random, words) as unknown as Wire;

/** What became known of a turn after it was said. */
export const drawFilling = (random: Random): Wire => ({
  ...(random.isLucky(0.8) ? { content: text(random) } : {}),
  ...(random.isLucky(0.5) ? { assessment: assessment(random, random.int(1, 8)) } : { fitted: false }),
});

/** All that is known of a session at its end, from one writer. */
export function drawEnd(random: Random): Wire {
  const isScored = random.isLucky(0.7);
  const part = (): number | null => (isScored ? orNull(random, score(random)) : null);
  return {
    status: isScored ? 'completed' : 'failed_to_generate_score',
    score: isScored ? score(random) : null,
    accuracyScore: part(),
    fluencyScore: part(),
    prosodyScore: part(),
    completenessScore: part(),
    pronScore: part(),
    wordsScore: part(),
    feedback: isScored ? orNull(random, feedback(random)) : null,
    summary: text(random),
  };
}

export const drawObjective = (random: Random): Wire => ({
  objectiveId: random.pick(OBJECTIVES),
  turnId: random.uuid(),
  words: text(random),
});

/** Few, so that two devices complete the same. */
const OBJECTIVES = ['1', '2', '3', '4', '5', '6', '7', '8'].map(
  (digit) => `0193a3b0-0000-7000-8000-00000000000${digit}`,
);

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
  score: null,
  accuracyScore: null,
  fluencyScore: null,
  prosodyScore: null,
  completenessScore: null,
  pronScore: null,
  wordsScore: null,
  completedObjectives: [],
  duration: random.int(0, 3_000),
  communicationStyle: random.pick(['text', 'audio']),
  status: 'in_progress',
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
    duration: (random) => random.int(0, 100_000),
    difficulty: (random) => random.pick(LEVELS),
    communicationStyle: (random) => random.pick(['text', 'audio']),
    pausedAt: (random) => orNull(random, time(random)),
  },
  coachAssignmentHistory: {
    agentId: (random, { coachIds }) => random.pick(coachIds),
    assignmentStartDate: (random) => time(random),
    assignmentEndDate: (random) => orNull(random, time(random)),
  },
  enrollments: {},
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
      return sessionValues(random, ids);
    case 'coachAssignmentHistory':
      return {
        agentId: random.pick(ids.coachIds),
        assignmentStartDate: time(random),
        assignmentEndDate: orNull(random, time(random)),
      };
    case 'userCourseInteraction':
      return {
        courseId: orNull(random, random.pick(ids.courseIds)),
        interactionType: random.pick(['practice', 'video', 'section_opened']),
        timestamp: time(random),
        details: { sessionId: random.uuid(), practiceId: null, videoId: null, courseSectionId: null },
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
