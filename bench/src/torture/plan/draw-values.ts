/** Draws row values in wire format, unique for each edit. */
import type { EditedKey, Wire } from '../messages.ts';
import type { Random } from '../seeded-random.ts';
import type { CatalogueIds } from './catalogue-ids.ts';
import { drawAssessment } from './draw-assessment.ts';

const LEVELS = ['easy', 'intermediate', 'hard'] as const;
/** Text that is easily corrupted by escaping or encoding. */
const HARD_TO_ENCODE_TEXT = `O'Reilly said "naïve" \\ 50 % — 日本語 👩‍🏫\n\t`;

const drawText = (random: Random): string =>
  `${random.uuid().slice(0, 8)} ${random.happens(0.2) ? HARD_TO_ENCODE_TEXT : ''}`.trimEnd();
const drawScore = (random: Random): number => random.int(0, 1_000) / 10;
export const drawTime = (random: Random): string =>
  new Date(Date.UTC(2026, 0, 1) + random.int(0, 2 ** 31)).toISOString();
const orNull = <Value>(random: Random, value: Value): Value | null => (random.happens(0.15) ? null : value);

/** Draws a new turn without its owner and predecessor. A spoken turn may arrive before its transcript. */
export function drawTurn(random: Random): Wire {
  const shared = { courseId: null, saidAt: drawTime(random), node: random.happens(0.3) ? 'start' : null };
  if (random.happens(0.3))
    return {
      ...shared,
      role: 'coach',
      kind: random.pick(['line', 'rephrase']),
      content: drawText(random),
      ...NO_AUDIO,
    };
  const isVoice = random.happens(0.6);
  const isTranscribedLater = isVoice && random.happens(0.6);
  return {
    ...shared,
    role: 'learner',
    kind: null,
    mode: isVoice ? 'voice' : 'typed',
    content: isTranscribedLater ? '' : `${drawText(random)} ${'and so on '.repeat(random.int(0, 60))}`.trimEnd(),
    fitted: random.happens(0.8),
    recordingId: isVoice ? random.uuid() : null,
    hintLevel: random.int(0, 3),
    assessment:
      isVoice && !isTranscribedLater && random.happens(0.5) ? drawWireAssessment(random, random.int(0, 12)) : null,
  };
}

const NO_AUDIO = { mode: null, fitted: true, recordingId: null, hintLevel: 0, assessment: null };

export const drawWireAssessment = (random: Random, words: number): Wire =>
  drawAssessment(random, words) as unknown as Wire;

/** Draws what becomes known of a turn later: its transcript or its assessment. */
export const drawLateTurnFields = (random: Random): Wire => ({
  ...(random.happens(0.8) ? { content: drawText(random) } : {}),
  ...(random.happens(0.5) ? { assessment: drawWireAssessment(random, random.int(1, 8)) } : { fitted: false }),
});

/** Draws the result of a session, which one device writes as a whole. */
export function drawSessionResult(random: Random): Wire {
  const isScored = random.happens(0.7);
  const part = (): number | null => (isScored ? orNull(random, drawScore(random)) : null);
  return {
    status: isScored ? 'completed' : 'failed_to_generate_score',
    score: isScored ? drawScore(random) : null,
    accuracyScore: part(),
    fluencyScore: part(),
    prosodyScore: part(),
    completenessScore: part(),
    pronScore: part(),
    wordsScore: part(),
    feedback: isScored ? orNull(random, drawFeedback(random)) : null,
    summary: drawText(random),
  };
}

export const drawObjective = (random: Random): Wire => ({
  objectiveId: random.pick(OBJECTIVES),
  turnId: random.uuid(),
  words: drawText(random),
});

/** Few enough that two devices complete the same objective. */
const OBJECTIVES = ['1', '2', '3', '4', '5', '6', '7', '8'].map(
  (digit) => `0193a3b0-0000-7000-8000-00000000000${digit}`,
);

const drawFeedback = (random: Random): Wire => ({
  best: drawText(random),
  fix: drawText(random),
  nextStep: drawText(random),
  wordsToTrain: [],
});

export const drawSession = (random: Random, ids: CatalogueIds): Wire => ({
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
  summary: drawText(random),
  difficulty: random.pick(LEVELS),
  pausedAt: null,
});

type Draw = (random: Random, ids: CatalogueIds) => Wire[string];

/** Fields that a learner can change later, by table. */
const DRAW_EDITABLE_FIELDS: Record<EditedKey, Record<string, Draw>> = {
  users: {
    firstName: (random) => orNull(random, drawText(random)),
    lastName: (random) => orNull(random, drawText(random)),
    jobTitle: (random) => drawText(random),
    agentId: (random, { coachIds }) => random.pick(coachIds),
    englishLevel: (random) => random.pick(['beginner', 'intermediate', 'advanced']),
    emailNotifications: (random) => random.happens(0.5),
    practiceDifficulty: (random) => random.pick(LEVELS),
    practiceStyle: (random) => random.pick(['turn_based', 'ultra_realistic']),
    hasSeenOnboarding: (random) => random.happens(0.5),
    industry: (random, { industryIds }) => (industryIds.length === 0 ? null : random.pick(industryIds)),
  },
  practiceHistory: {
    duration: (random) => random.int(0, 100_000),
    difficulty: (random) => random.pick(LEVELS),
    communicationStyle: (random) => random.pick(['text', 'audio']),
    pausedAt: (random) => orNull(random, drawTime(random)),
  },
  coachAssignmentHistory: {
    agentId: (random, { coachIds }) => random.pick(coachIds),
    assignmentStartDate: (random) => drawTime(random),
    assignmentEndDate: (random) => orNull(random, drawTime(random)),
  },
  enrollments: {},
  pronunciationImprovementSummary: {},
  userCourseInteraction: {},
  aiConversations: {},
  feedbackDetails: {},
  wordAttempts: {},
};

export function drawChange(random: Random, key: EditedKey, ids: CatalogueIds): Wire {
  const draws = Object.entries(DRAW_EDITABLE_FIELDS[key]);
  const changed = Array.from({ length: random.int(1, 3) }, () => random.pick(draws));
  return Object.fromEntries(changed.map(([name, draw]) => [name, draw(random, ids)]));
}

/** Draws a new row without its key and its learner. */
export function drawRow(random: Random, key: EditedKey, ids: CatalogueIds, interactionId: string | null): Wire {
  switch (key) {
    case 'practiceHistory':
      return drawSession(random, ids);
    case 'coachAssignmentHistory':
      return {
        agentId: random.pick(ids.coachIds),
        assignmentStartDate: drawTime(random),
        assignmentEndDate: orNull(random, drawTime(random)),
      };
    case 'userCourseInteraction':
      return {
        courseId: orNull(random, random.pick(ids.courseIds)),
        interactionType: random.pick(['practice', 'video', 'section_opened']),
        timestamp: drawTime(random),
        details: { sessionId: random.uuid(), practiceId: null, videoId: null, courseSectionId: null },
      };
    case 'feedbackDetails':
      return {
        interactionId,
        performanceCategories: [{ category: 'fluency', score: drawScore(random) }],
        suggestions: [drawText(random)],
        score: orNull(random, drawScore(random)),
      };
    case 'wordAttempts':
      return {
        kind: random.pick(['attempt', 'graded', 'added', 'learned', 'removed']),
        at: drawTime(random),
        day: '2026-11-18',
        word: random.pick(['thorough', 'squirrel', 'rural', 'sixth']),
        ipa: 'θ',
        accuracy: orNull(random, drawScore(random)),
        phonemes: [['θ', 31.5, orNull(random, 't')]],
        source: random.pick(['session', 'drill', 'review', 'shadowing']),
        sessionId: null,
        turnId: null,
        recordingId: null,
        startMs: orNull(random, random.int(0, 9_000)),
        endMs: null,
        sentence: orNull(random, drawText(random).slice(0, 300)),
        grade: orNull(random, random.pick(['again', 'hard', 'good', 'easy'])),
        attempts: null,
        countedBy: null,
      };
    default:
      throw new Error(`no row of ${key} is made`);
  }
}
