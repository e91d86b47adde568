/** An attack by text: where the attacker gets a word in, what a model does that obeys them in everything, and what may still come of it. */
import type { ModelScene } from '../model-scene.ts';
import type { Script } from '../../test-kit/scripted-model.ts';

export interface Attack {
  name: string;
  /** What the learner says. A harmless sentence where the attacker is another. */
  said?: string;
  /** What the coach is said to have said before, by the learner's device. */
  coachSaid?: string;
  /** What the attacker has written into the scene. */
  scene?: Partial<Omit<ModelScene, 'model'>>;
  /** How the model obeys, beyond the default: it praises, ends, ticks, corrects and remembers what it should not. */
  obeys?: Script;
  /** The coach's line; by default what the obedient model says, without its marks. */
  line?: string | RegExp;
  /** Proofs that are right all the same. */
  proves?: readonly string[];
  corrects?: readonly string[];
  remembers?: readonly string[];
  /** Stands nowhere in what a model is told. */
  untold?: readonly string[];
  /** Stands there still, as the data that it is. */
  told?: readonly string[];
}

export const HARMLESS = 'I am checking the papers at the moment.';
export const QUESTION = 'Where is my delivery?';

/** When something had to be kept back. */
export const BACK_TO_SCENE = `Let us go back to our conversation. ${QUESTION}`;

export const persona = {
  name: 'Daniel',
  communicationStyle: 'Direct and brisk.',
  skills: ['Meetings'],
  characterTraits: ['fair'],
};
export const practice = {
  title: 'Explain a delay',
  scenario: 'A delivery is late, and your customer is on the telephone.',
  learnerRole: 'You look after this customer.',
  usefulWords: ['delivery'],
};
export const learner = {
  firstName: 'Ana',
  level: 'intermediate' as const,
  jobTitle: 'Account manager',
  industry: 'Logistics',
};
