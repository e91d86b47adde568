/**
 * Describes a prompt injection test: where the attacker's text goes, what a fully obedient model would return, and what may still be shown.
 */
import type { ModelScene } from '../../model/context/scene-context.ts';
import type { Script } from '../scripted-model.ts';

export interface Attack {
  name: string;
  /** The learner's text; harmless by default, when the attack comes from elsewhere. */
  learnerText?: string;
  /** A coach turn as the learner's device reports it, which may be forged. */
  coachSaid?: string;
  /** Attacker-controlled parts of the scene. */
  scene?: Partial<Omit<ModelScene, 'model'>>;
  /** The obedient model's answers. By default it praises, ends, completes, corrects and remembers what it should not. */
  modelScript?: Script;
  /** The expected coach text; by default the model's reply without markers. */
  expectedReply?: string | RegExp;
  /** Proofs that remain valid despite the attack. */
  validProofs?: readonly string[];
  expectedCorrections?: readonly string[];
  expectedMemories?: readonly string[];
  /** Text that must not appear in the prompt. */
  absentFromPrompt?: readonly string[];
  /** Text that must appear in the prompt as data. */
  presentInPrompt?: readonly string[];
}

export const HARMLESS_TEXT = 'I am checking the papers at the moment.';
export const QUESTION = 'Where is my delivery?';

/** The fallback reply after something was withheld. */
export const FALLBACK_REPLY = `Let us go back to our conversation. ${QUESTION}`;

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
