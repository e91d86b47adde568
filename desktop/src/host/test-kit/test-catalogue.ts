/** A small test catalogue: one ready practice, one that is coming soon, and one that is hidden. */
import {
  CoachId,
  CourseId,
  type Dialogue,
  ObjectiveId,
  ObjectiveKey,
  PracticeId,
  type Row,
  type RowState,
} from '@parley/domain';
import type { StarterCatalogue } from '@parley/catalogue';

const born = new Date('2026-11-01T00:00:00Z');
const mixin = { createdAt: born, updatedAt: born, syncVersion: 0, deletedAt: null };

/** Returns a readable id: `testId(7)` ends in 7. */
export const testId = (number: number): string => `019aa000-0000-7000-8000-${String(number).padStart(12, '0')}`;

export const COACH = CoachId.parse(testId(1));
export const OTHER_COACH = CoachId.parse(testId(2));
export const LATE_DELIVERY = PracticeId.parse(testId(11));
export const COMING_SOON = PracticeId.parse(testId(12));
export const HIDDEN = PracticeId.parse(testId(13));
export const NAME_THE_DELAY = ObjectiveId.parse(testId(21));
export const APOLOGISE = ObjectiveId.parse(testId(22));

export const LATE_REPLY = 'The delivery is two days late.';
export const SORRY_REPLY = 'I am sorry, we will send it again tomorrow.';

const same = <Value>(value: Value) => ({ easy: value, intermediate: value, hard: value });

export const aDialogue = (): Dialogue => ({
  start: 'opening',
  nodes: [
    {
      key: 'opening',
      say: same('Good morning, what can I do for you?'),
      replies: same([
        {
          text: LATE_REPLY,
          next: 'remedy',
          keyword: 'late',
          proves: [{ objective: ObjectiveKey.parse('name-the-delay'), words: 'two days late' }],
        },
        { text: 'We have a problem with your order today.', next: 'remedy', keyword: 'problem', proves: [] },
      ]),
      rephrase: ['Is something wrong with my order?', 'When will it come?'],
    },
    {
      key: 'remedy',
      say: same('Oh no. What will you do about it?'),
      replies: same([
        {
          text: SORRY_REPLY,
          next: 'end',
          keyword: 'sorry',
          proves: [{ objective: ObjectiveKey.parse('apologise'), words: 'sorry' }],
        },
        { text: 'You can have your money back.', next: 'end', keyword: 'money', proves: [] },
      ]),
      rephrase: ['Will you send it again?'],
    },
    { key: 'end', say: same('Thank you, that helps.'), replies: same([]), rephrase: [] },
  ],
});

export const aCoach = (agentId: CoachId, name: string): Row<'aiAgentProfiles'> => ({
  ...mixin,
  agentId,
  name,
  skills: ['Customer calls'],
  communicationStyle: 'Calm and direct.',
  avatarUrl: '',
  characterTraits: ['patient'],
  manner: {
    acknowledge: ['I see.', 'All right.'],
    praise: ['Well said.', 'That was clear.'],
    reassure: ['Take your time.', 'No problem.'],
    goodbye: ['Goodbye.', 'See you soon.'],
  },
  voice: { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 },
});

export const aPractice = (practiceId: PracticeId, title: string, availability: RowState): Row<'practices'> => ({
  ...mixin,
  practiceId,
  availability,
  title,
  description: 'A customer waits for a parcel.',
  scenario: 'A customer calls about a parcel that has not come.',
  duration: 300,
  coverImageUrl: '',
  agentName: 'Maya',
  descriptionSummary: 'Tell a customer that a delivery is late.',
  category: 'Customers',
  agentImage: '',
  level: 'intermediate',
  agentId: COACH,
  learnerRole: 'You work in customer service.',
  usefulWords: [{ word: 'delay', meaning: 'when something comes late' }],
  dialogue: availability === 'ready' ? aDialogue() : null,
});

export const aCatalogue = async (): Promise<StarterCatalogue> => ({
  industry: [{ ...mixin, id: testId(31), name: 'Logistics', updated: born }],
  aiAgentProfiles: [aCoach(COACH, 'Maya'), aCoach(OTHER_COACH, 'Tom')],
  practices: [
    aPractice(LATE_DELIVERY, 'A late delivery', 'ready'),
    aPractice(COMING_SOON, 'A job interview', 'not_ready'),
    aPractice(HIDDEN, 'A draft', 'not_visible'),
  ],
  objectives: [
    {
      ...mixin,
      objectiveId: NAME_THE_DELAY,
      description: 'Say what is late.',
      key: ObjectiveKey.parse('name-the-delay'),
    },
    { ...mixin, objectiveId: APOLOGISE, description: 'Apologise.', key: ObjectiveKey.parse('apologise') },
  ],
  practiceObjectives: [
    { ...mixin, practiceObjectiveId: testId(41), practiceId: LATE_DELIVERY, objectiveId: NAME_THE_DELAY, position: 1 },
    { ...mixin, practiceObjectiveId: testId(42), practiceId: LATE_DELIVERY, objectiveId: APOLOGISE, position: 2 },
  ],
  courses: [
    { ...mixin, courseId: CourseId.parse(testId(51)), title: 'Customers', description: 'Calls.', status: 'available' },
  ],
  courseSections: [
    {
      ...mixin,
      courseSectionId: testId(61),
      title: 'Deliveries',
      descriptions: 'When things come late.',
      order: 1,
      courseId: CourseId.parse(testId(51)),
    },
  ],
  blogPosts: [],
  postTags: {},
  courseSectionPractices: [LATE_DELIVERY, COMING_SOON, HIDDEN].map((practiceId, index) => ({
    ...mixin,
    courseSectionPracticeId: testId(71 + index),
    courseSectionId: testId(61),
    practiceId,
    position: index + 1,
  })),
});
