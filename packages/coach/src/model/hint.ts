/** What the learner could say now, in three rungs, as the guided coach has them: words, an opening, the whole. */
import { z } from 'zod';
import type { Held } from '../coach.ts';
import { hintsFor } from '../guided/hints.ts';
import { isShowable } from './corrections.ts';
import { joinPrompts } from './fence.ts';
import { ModelFailure } from './language-model.ts';
import { levelText, type ModelScene, objectivesFence, sceneFence, usefulWordsFence } from './model-scene.ts';
import { fillPrompt } from './prompts.ts';
import { transcriptOf } from './transcript.ts';
import { plainSentence } from './visible-text.ts';

const Replies = z
  .object({ replies: z.array(z.object({ keywords: z.string(), sentence: z.string() })) })
  .refine(({ replies }) => replies.some(({ sentence }) => sentence.trim() !== ''), 'There is no reply in it.');

const MAX_HINTS = 3;
const MAX_KEYWORDS = 60;
const MAX_SENTENCE = 300;

/** Nothing where it is not the learner's turn. Throws a `ModelFailure`. */
export async function hintWith(
  scene: ModelScene,
  held: Held,
  { level, signal }: { level: 1 | 2 | 3; signal: AbortSignal },
): Promise<string[]> {
  signal.throwIfAborted();
  const last = held.turns.at(-1);
  if (last?.role !== 'coach' || last.kind === 'goodbye') return [];
  const { value } = await scene.model.structured({
    purpose: 'hint',
    name: 'replies',
    schema: Replies,
    instructions: fillPrompt('hint', { level: levelText(scene) }),
    messages: [
      {
        role: 'learner',
        text: joinPrompts([
          sceneFence(scene),
          objectivesFence(scene, held),
          usefulWordsFence(scene),
          transcriptOf(held.turns),
        ]),
      },
    ],
    maxOutputTokens: 400,
    signal,
  });
  const candidates = value.replies
    .map(({ keywords, sentence }) => ({ keyword: plainSentence(keywords), text: plainSentence(sentence) }))
    .filter(({ keyword, text }) => isShowable(keyword) && isShowable(text))
    .filter(({ keyword, text }) => keyword.length <= MAX_KEYWORDS && text.length <= MAX_SENTENCE);
  if (candidates.length === 0) throw new ModelFailure('malformed');
  return [...new Set(hintsFor(candidates, level))].slice(0, MAX_HINTS);
}
