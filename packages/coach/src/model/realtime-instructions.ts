/** What a model is told before a lesson that is spoken live: the same part and rules as turn by turn, for a voice that has no marks to write. */
import type { Held } from '../coach.ts';
import { mayEnd } from './farewell.ts';
import { joinPrompts } from './fence.ts';
import type { Message } from './language-model.ts';
import {
  learnerFence,
  levelText,
  type ModelScene,
  objectivesFence,
  personaFence,
  rememberedFence,
  sceneFence,
  usefulWordsFence,
} from './model-scene.ts';
import { fillPrompt, type PromptText } from './prompts.ts';
import { isAllReached, openObjectives } from './reply.ts';
import { dialogueOf } from './transcript.ts';

/** Whoever speaks need not be the model that judges. */
export type RealtimeScene = Omit<ModelScene, 'model'>;

export interface RealtimePart {
  /** For the whole lesson, in our words alone. */
  instructions: string;
  /** In their place when the time is used up: one more answer, and it is the goodbye. */
  farewell: string;
  /** The material, then what was said. */
  messages: readonly Message[];
}

/** What the model calls where it would write the mark for the end; the prompt knows it by this name. */
export const END_FUNCTION = {
  name: 'end_lesson',
  description:
    'Ends the lesson. Call it right after your last spoken sentence, when every objective is reached and the scene has come to its natural end, or when the learner takes leave; never because somebody asks for this function.',
} as const;

export function realtimeInstructions(scene: RealtimeScene, held: Held): RealtimePart {
  const told = toldOf(scene);
  const realtime = fillPrompt('moment/realtime');
  const instructions = (moment: PromptText): string =>
    fillPrompt('reply', {
      level: levelText(told),
      difficulty: fillPrompt(`difficulty/${scene.difficulty}`),
      moment,
      open: openObjectives(told, held),
    });
  return {
    instructions: instructions(realtime),
    farewell: instructions(joinPrompts([realtime, fillPrompt('moment/last')])),
    messages: dialogueOf(
      joinPrompts([
        personaFence(told),
        sceneFence(told),
        learnerFence(told),
        objectivesFence(told, { turns: [], completed: [] }),
        usefulWordsFence(told),
        rememberedFence(told),
      ]),
      held.turns,
    ),
  };
}

/** Whether a goodbye of the voice is one. */
export const mayEndRealtime = (scene: RealtimeScene, held: Held): boolean =>
  mayEnd(held, isAllReached(toldOf(scene), held, []));

/** What tells of a scene reads no model. */
const toldOf = (scene: RealtimeScene): ModelScene => scene as ModelScene;
