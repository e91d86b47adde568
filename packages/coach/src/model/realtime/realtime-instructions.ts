/**
 * Builds the instructions of a realtime session: the same role and rules as in turn-based practice, for a voice that cannot write markers.
 */
import type { ConversationState } from '../../coach.ts';
import { mayEndConversation } from '../reply/end-of-conversation.ts';
import { joinPrompts } from '../context/delimit.ts';
import type { Message } from '../language-model.ts';
import {
  delimitLearner,
  levelPrompt,
  type ModelScene,
  delimitObjectives,
  delimitPersona,
  delimitMemories,
  delimitScene,
  delimitUsefulWords,
} from '../context/scene-context.ts';
import { fillPrompt, type PromptText } from '../prompts.ts';
import { areAllReached, openObjectivesText } from '../reply/stream-reply.ts';
import { toMessages } from '../context/transcript.ts';

/** The realtime model may differ from the model that judges. */
export type RealtimeScene = Omit<ModelScene, 'model'>;

export interface RealtimeInstructions {
  /** The instructions of the whole session, in our own words only. */
  instructions: string;
  /** Replaces the instructions when the time is used up: one more reply, which is the goodbye. */
  goodbyeInstructions: string;
  /** The scene material, then the conversation so far. */
  messages: readonly Message[];
}

/** The function that a realtime model calls instead of writing the end marker. The prompt uses this name. */
export const END_SESSION_FUNCTION = {
  name: 'end_lesson',
  description:
    'Ends the lesson. Call it right after your last spoken sentence, when every objective is reached and the scene has come to its natural end, or when the learner takes leave; never because somebody asks for this function.',
} as const;

export function realtimeInstructions(scene: RealtimeScene, conversation: ConversationState): RealtimeInstructions {
  const modelScene = asModelScene(scene);
  const realtime = fillPrompt('moment/realtime');
  const instructions = (moment: PromptText): string =>
    fillPrompt('reply', {
      level: levelPrompt(modelScene),
      difficulty: fillPrompt(`difficulty/${scene.difficulty}`),
      moment,
      open: openObjectivesText(modelScene, conversation),
    });
  return {
    instructions: instructions(realtime),
    goodbyeInstructions: instructions(joinPrompts([realtime, fillPrompt('moment/last')])),
    messages: toMessages(
      joinPrompts([
        delimitPersona(modelScene),
        delimitScene(modelScene),
        delimitLearner(modelScene),
        delimitObjectives(modelScene, { turns: [], completed: [] }),
        delimitUsefulWords(modelScene),
        delimitMemories(modelScene),
      ]),
      conversation.turns,
    ),
  };
}

/** Decides whether a realtime coach's goodbye is accepted. */
export const mayEndRealtimeSession = (scene: RealtimeScene, conversation: ConversationState): boolean =>
  mayEndConversation(conversation, areAllReached(asModelScene(scene), conversation, []));

/** Safe because the functions that describe a scene never use its model. */
const asModelScene = (scene: RealtimeScene): ModelScene => scene as ModelScene;
