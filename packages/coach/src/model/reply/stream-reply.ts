/** Streams the coach's reply to a turn, with the judge's proofs, and finally the utterance to store. */
import type { CoachEvent, CoachUtterance } from '@parley/domain';
import type { ConversationState } from '../../coach.ts';
import { findTurnToAnswer } from '../../find-turn-to-answer.ts';
import { fallbackReply, FALLBACK_GOODBYE } from './fallback-reply.ts';
import { mayEndConversation, conversationPhase } from './end-of-conversation.ts';
import { judgeTurn, type Proof } from '../judge.ts';
import type { LanguageModelRequest } from '../language-model.ts';
import {
  levelPrompt,
  sceneMaterial,
  MAX_WORDS_BY_LEVEL,
  type ModelScene,
  type SceneContext,
} from '../context/scene-context.ts';
import { fillPrompt, trustedText, type PromptText } from '../prompts.ts';
import { streamSpeech, streamSpeechAndProofs } from './stream-speech.ts';
import { createSpeechGate } from './speech-gate.ts';
import { toMessages } from '../context/transcript.ts';

/** Enough for a reply of 60 words and for what small models add to it. */
const MAX_OUTPUT_TOKENS = 300;

/** Throws `NothingToAnswerError`, a `ServiceFailure`, or the signal's reason. */
export async function* streamReply(
  scene: ModelScene,
  conversation: ConversationState,
  signal: AbortSignal,
): AsyncGenerator<CoachEvent, void> {
  signal.throwIfAborted();
  const turn = findTurnToAnswer(conversation);
  // When the consumer stops early, the judge's request is cancelled together with the reply.
  const consumer = new AbortController();
  const requestSignal = AbortSignal.any([signal, consumer.signal]);
  try {
    const judging =
      turn === null ? Promise.resolve([]) : judgeTurn(scene, conversation, { said: turn, signal: requestSignal });
    // When the reply fails first, its failure is thrown.
    void judging.catch(() => undefined);
    const gate = createSpeechGate(MAX_WORDS_BY_LEVEL[scene.learner.level ?? 'unknown']);
    const words = streamSpeech(scene.model, buildReplyRequest(scene, conversation, requestSignal), gate);
    const proofs = yield* streamSpeechAndProofs(words, judging);
    signal.throwIfAborted();
    const reached = areAllReached(scene, conversation, proofs);
    const isOver =
      conversationPhase(conversation) === 'last' || (gate.hasEndMarker() && mayEndConversation(conversation, reached));
    const fallback = gate.hasWithheld()
      ? spaceFallback(gate.spokenText(), isOver ? FALLBACK_GOODBYE : fallbackReply(conversation))
      : '';
    if (fallback !== '') yield { type: 'words', text: fallback };
    const kind = isOver ? 'goodbye' : gate.hasWithheld() ? 'rephrase' : 'line';
    const line: CoachUtterance = { text: gate.spokenText() + fallback, node: null, kind };
    yield { type: 'line', line, fitted: !gate.hasWithheld() };
  } finally {
    consumer.abort();
  }
}

/** Separates the fallback from what was already said. */
const spaceFallback = (said: string, line: string): string => (said === '' ? line : ` ${line}`);

/** The instructions contain only our own words, so two learners at the same level share them and providers can cache them. */
function buildReplyRequest(
  scene: ModelScene,
  conversation: ConversationState,
  signal: AbortSignal,
): LanguageModelRequest {
  return {
    purpose: 'reply',
    instructions: fillPrompt('reply', {
      level: levelPrompt(scene),
      difficulty: fillPrompt(`difficulty/${scene.difficulty}`),
      moment: fillPrompt(`moment/${conversationPhase(conversation)}`),
      open: openObjectivesText(scene, conversation),
    }),
    messages: toMessages(sceneMaterial(scene), conversation.turns),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    signal,
  };
}

/** Objectives are given by number, so the text stays our own. */
export function openObjectivesText(
  { objectives }: Pick<SceneContext, 'objectives'>,
  { completed }: ConversationState,
): PromptText {
  if (objectives.length === 0) return trustedText('There are no objectives in this lesson.');
  const done = new Set(completed.map(({ objectiveId }) => objectiveId));
  const open = objectives.flatMap(({ objectiveId }, at) => (done.has(objectiveId) ? [] : [at + 1]));
  return trustedText(open.length === 0 ? 'Every objective is reached.' : `Still open: objective ${open.join(', ')}.`);
}

export function areAllReached(
  { objectives }: Pick<SceneContext, 'objectives'>,
  { completed }: ConversationState,
  proofs: readonly Proof[],
): boolean | null {
  if (objectives.length === 0) return null;
  const reached = new Set([...completed, ...proofs].map(({ objectiveId }) => objectiveId));
  return objectives.every(({ objectiveId }) => reached.has(objectiveId));
}
