/** Builders of scenes and turns for tests. Unspecified values have sensible defaults. */
import { type CoachTurn, type LearnerTurn, ObjectiveId, type Turn, TurnId } from '@parley/domain';
import type { ConversationState } from '../coach.ts';
import type { ModelScene } from '../model/context/scene-context.ts';

const uuid = (group: string, number: number): string =>
  `00000000-0000-4000-${group}-${String(number).padStart(12, '0')}`;

export const anObjectiveId = (number: number): ObjectiveId => ObjectiveId.parse(uuid('8000', number));

let turns = 0;
const nextTurn = () => {
  turns += 1;
  return { turnId: TurnId.parse(uuid('9000', turns)), at: '2026-11-21T09:00:00.000Z' };
};

export const coachSaid = (text: string, changes: Partial<CoachTurn> = {}): CoachTurn => ({
  role: 'coach',
  text,
  node: null,
  kind: 'line',
  ...nextTurn(),
  ...changes,
});

export const learnerSaid = (text: string, changes: Partial<LearnerTurn> = {}): LearnerTurn => ({
  role: 'learner',
  text,
  mode: 'typed',
  node: null,
  fitted: true,
  recordingId: null,
  assessment: null,
  hintLevel: 0,
  ...nextTurn(),
  ...changes,
});

/** Alternating turns, starting with the coach. */
export const someTurns = (...texts: string[]): Turn[] =>
  texts.map((text, at) => (at % 2 === 0 ? coachSaid(text) : learnerSaid(text)));

export const aConversationState = (turns: readonly Turn[], ...reached: ObjectiveId[]): ConversationState => ({
  turns,
  completed: reached.map((objectiveId) => ({ objectiveId })),
});

export const APOLOGISE = anObjectiveId(1);
export const NAME_THE_DELAY = anObjectiveId(2);
export const OFFER_A_DATE = anObjectiveId(3);

export const aScene = (changes: Partial<ModelScene> & Pick<ModelScene, 'model'>): ModelScene => ({
  persona: {
    name: 'Daniel',
    communicationStyle: 'Direct and brisk. He likes short answers and clear numbers.',
    skills: ['Meetings', 'Negotiation'],
    characterTraits: ['direct', 'fair'],
  },
  practice: {
    title: 'Explain a delay',
    scenario: 'A delivery is late, and your customer is on the telephone.',
    learnerRole: 'You look after this customer.',
    usefulWords: ['delivery', 'to be sorry'],
  },
  learner: { firstName: 'Ana', level: 'intermediate', jobTitle: 'Account manager', industry: 'Logistics' },
  difficulty: 'easy',
  objectives: [
    { objectiveId: APOLOGISE, description: 'Say that you are sorry' },
    { objectiveId: NAME_THE_DELAY, description: 'Say how late it is' },
    { objectiveId: OFFER_A_DATE, description: 'Offer a new date' },
  ],
  remembered: ['The learner works with customers in Spain.'],
  ...changes,
});

export async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const collected: Event[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}
