/** What a model must know to play a coach, and how it is told: everything in it was written by somebody else, so all of it is fenced. */
import type { EnglishLevel, ObjectiveId, PracticeDifficulty } from '@parley/domain';
import type { Held } from '../coach.ts';
import { disarmed, fence, joinPrompts } from './fence.ts';
import type { LanguageModel } from './language-model.ts';
import { fillPrompt, type PromptText } from './prompts.ts';
import { isPlainFact } from './remember.ts';

export interface ModelObjective {
  objectiveId: ObjectiveId;
  description: string;
}

/** Whoever plays it. */
export interface ToldScene {
  persona: {
    name: string;
    communicationStyle: string;
    skills: readonly string[];
    characterTraits: readonly string[];
  };
  practice: { title: string; scenario: string; learnerRole: string; usefulWords: readonly string[] };
  /** Null is what they have not told. */
  learner: {
    firstName: string | null;
    level: EnglishLevel | null;
    jobTitle: string | null;
    industry: string | null;
  };
  difficulty: PracticeDifficulty;
  objectives: readonly ModelObjective[];
  /** Facts about the learner from earlier conversations, a line each. */
  remembered: readonly string[];
}

export interface ModelScene extends ToldScene {
  model: LanguageModel;
}

/** In one answer, as the prompts of the levels say. */
export const MAX_WORDS: Readonly<Record<EnglishLevel | 'unknown', number>> = {
  beginner: 25,
  intermediate: 45,
  advanced: 60,
  unknown: 40,
};

const MAX_NAME = 60;
const MAX_SHORT = 200;
const MAX_REMEMBERED = 24;

export const personaFence = ({ persona }: ToldScene): PromptText =>
  fence('coach', [
    labelled('Name', persona.name, MAX_NAME),
    labelled('Way of talking', persona.communicationStyle),
    labelled('Character', persona.characterTraits.join(', ')),
    labelled('Good at', persona.skills.join(', ')),
  ]);

export const sceneFence = ({ practice }: ToldScene): PromptText =>
  fence('scene', [
    labelled('Title', practice.title, MAX_SHORT),
    labelled('What is going on', practice.scenario),
    labelled('The learner’s role', practice.learnerRole),
  ]);

export const learnerFence = ({ learner }: ToldScene): PromptText =>
  fence('learner', [
    labelled('First name', learner.firstName, MAX_NAME),
    labelled('Work', learner.jobTitle, MAX_SHORT),
    labelled('Industry', learner.industry, MAX_SHORT),
  ]);

export const usefulWordsFence = ({ practice }: ToldScene): PromptText =>
  fence('useful_words', [practice.usefulWords.slice(0, 12).join(', ')]);

/** Lines that were written before somebody filtered them, or came in another way, are held to the same rules. */
export const rememberedFence = ({ remembered }: ToldScene): PromptText =>
  fence('remembered', remembered.filter(isPlainFact).slice(-MAX_REMEMBERED));

/** Numbered from 1 in the scene's order; with what has become of each, where a conversation is given. */
export function objectivesFence({ objectives }: ToldScene, held?: Held): PromptText {
  const done = new Set(held?.completed.map(({ objectiveId }) => objectiveId));
  const fate = (one: ModelObjective): string =>
    held === undefined ? '' : `(${done.has(one.objectiveId) ? 'reached' : 'open'}) `;
  return fence(
    'objectives',
    objectives.map((one, at) => `${at + 1}. ${fate(one)}${one.description}`),
  );
}

/** All of it, for whoever plays the scene; the same from turn to turn. */
export const materialOf = (scene: ToldScene): PromptText =>
  joinPrompts([
    personaFence(scene),
    sceneFence(scene),
    learnerFence(scene),
    objectivesFence(scene),
    usefulWordsFence(scene),
    rememberedFence(scene),
  ]);

export const levelText = ({ learner }: ToldScene): PromptText => fillPrompt(`level/${learner.level ?? 'unknown'}`);

const labelled = (label: string, value: string | null, maxChars?: number): string => {
  const plain = disarmed(value ?? '', maxChars);
  return plain === '' ? '' : `${label}: ${plain}`;
};
