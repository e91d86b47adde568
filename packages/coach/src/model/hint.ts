/** Generates hints with a language model, in the same three levels as the guided coach. */
import { ServiceFailure } from '@parley/domain';
import { z } from 'zod';
import type { ConversationState } from '../coach.ts';
import { buildHints } from '../guided/hints.ts';
import { isSafeToShow } from './review/verify-corrections.ts';
import {
  levelPrompt,
  type ModelScene,
  delimitObjectives,
  delimitScene,
  delimitUsefulWords,
} from './context/scene-context.ts';
import { fillPrompt } from './prompts.ts';
import { toTranscriptMessages } from './context/transcript.ts';
import { stripMarkdown } from './safety/normalise-text.ts';

const Replies = z
  .object({ replies: z.array(z.object({ keywords: z.string(), sentence: z.string() })) })
  .refine(({ replies }) => replies.some(({ sentence }) => sentence.trim() !== ''), 'There is no reply in it.');

const MAX_HINTS = 3;
const MAX_KEYWORDS = 60;
const MAX_SENTENCE = 300;

/** Returns an empty list when it is not the learner's turn. Throws a `ServiceFailure`. */
export async function generateHints(
  scene: ModelScene,
  conversation: ConversationState,
  { level, signal }: { level: 1 | 2 | 3; signal: AbortSignal },
): Promise<string[]> {
  signal.throwIfAborted();
  const last = conversation.turns.at(-1);
  if (last?.role !== 'coach' || last.kind === 'goodbye') return [];
  const { value } = await scene.model.structured({
    purpose: 'hint',
    name: 'replies',
    schema: Replies,
    instructions: fillPrompt('hint', { level: levelPrompt(scene) }),
    ...toTranscriptMessages(
      [delimitScene(scene), delimitObjectives(scene, conversation), delimitUsefulWords(scene)],
      conversation.turns,
    ),
    maxOutputTokens: 400,
    signal,
  });
  const candidates = value.replies
    .map(({ keywords, sentence }) => ({ keyword: stripMarkdown(keywords), text: stripMarkdown(sentence) }))
    .filter(({ keyword, text }) => isSafeToShow(keyword) && isSafeToShow(text))
    .filter(({ keyword, text }) => keyword.length <= MAX_KEYWORDS && text.length <= MAX_SENTENCE);
  if (candidates.length === 0) throw new ServiceFailure('coach', 'malformed');
  return [...new Set(buildHints(candidates, level))].slice(0, MAX_HINTS);
}
