/** The scene as a model sees it. All of it is untrusted text, so all of it is delimited. */
import type { EnglishLevel, ObjectiveId, PracticeDifficulty } from '@parley/domain';
import type { ConversationState } from '../../coach.ts';
import { sanitize, delimit, joinPrompts } from './delimit.ts';
import type { LanguageModel } from '../language-model.ts';
import { fillPrompt, type PromptText } from '../prompts.ts';
import { isPlainFact } from '../review/learner-memory.ts';

export interface ModelObjective {
  objectiveId: ObjectiveId;
  description: string;
}

/** The parts that do not depend on the model. */
export interface SceneContext {
  persona: {
    name: string;
    communicationStyle: string;
    skills: readonly string[];
    characterTraits: readonly string[];
  };
  practice: { title: string; scenario: string; learnerRole: string; usefulWords: readonly string[] };
  /** Null for what the learner has not provided. */
  learner: {
    firstName: string | null;
    level: EnglishLevel | null;
    jobTitle: string | null;
    industry: string | null;
  };
  difficulty: PracticeDifficulty;
  objectives: readonly ModelObjective[];
  /** Facts about the learner from earlier conversations, one per line. */
  remembered: readonly string[];
}

export interface ModelScene extends SceneContext {
  model: LanguageModel;
}

/** The maximum number of words in one reply, as the level prompts state it. */
export const MAX_WORDS_BY_LEVEL: Readonly<Record<EnglishLevel | 'unknown', number>> = {
  beginner: 25,
  intermediate: 45,
  advanced: 60,
  unknown: 40,
};

const MAX_NAME_CHARS = 60;
const MAX_SHORT_CHARS = 200;
const MAX_REMEMBERED = 24;

export const delimitPersona = ({ persona }: SceneContext): PromptText =>
  delimit('coach', [
    labelledLine('Name', persona.name, MAX_NAME_CHARS),
    labelledLine('Way of talking', persona.communicationStyle),
    labelledLine('Character', persona.characterTraits.join(', ')),
    labelledLine('Good at', persona.skills.join(', ')),
  ]);

export const delimitScene = ({ practice }: SceneContext): PromptText =>
  delimit('scene', [
    labelledLine('Title', practice.title, MAX_SHORT_CHARS),
    labelledLine('What is going on', practice.scenario),
    labelledLine('The learner’s role', practice.learnerRole),
  ]);

export const delimitLearner = ({ learner }: SceneContext): PromptText =>
  delimit('learner', [
    labelledLine('First name', learner.firstName, MAX_NAME_CHARS),
    labelledLine('Work', learner.jobTitle, MAX_SHORT_CHARS),
    labelledLine('Industry', learner.industry, MAX_SHORT_CHARS),
  ]);

export const delimitUsefulWords = ({ practice }: SceneContext): PromptText =>
  delimit('useful_words', [practice.usefulWords.slice(0, 12).join(', ')]);

/** Stored facts are filtered again, because they may predate the filter or come from elsewhere. */
export const delimitMemories = ({ remembered }: SceneContext): PromptText =>
  delimit('remembered', remembered.filter(isPlainFact).slice(-MAX_REMEMBERED));

/** Numbered from 1 in the scene's order, with each objective's state when a conversation is given. */
export function delimitObjectives({ objectives }: SceneContext, conversation?: ConversationState): PromptText {
  const done = new Set(conversation?.completed.map(({ objectiveId }) => objectiveId));
  const status = (one: ModelObjective): string =>
    conversation === undefined ? '' : `(${done.has(one.objectiveId) ? 'reached' : 'open'}) `;
  return delimit(
    'objectives',
    objectives.map((one, at) => `${at + 1}. ${status(one)}${one.description}`),
  );
}

/** All scene material for the model that plays the coach. It is identical from turn to turn, so providers can cache it. */
export const sceneMaterial = (scene: SceneContext): PromptText =>
  joinPrompts([
    delimitPersona(scene),
    delimitScene(scene),
    delimitLearner(scene),
    delimitObjectives(scene),
    delimitUsefulWords(scene),
    delimitMemories(scene),
  ]);

export const levelPrompt = ({ learner }: SceneContext): PromptText => fillPrompt(`level/${learner.level ?? 'unknown'}`);

const labelledLine = (label: string, value: string | null, maxChars?: number): string => {
  const plain = sanitize(value ?? '', maxChars);
  return plain === '' ? '' : `${label}: ${plain}`;
};
