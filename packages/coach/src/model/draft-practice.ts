/** Drafts a practice with a language model, for an author to correct. */
import { z } from 'zod';
import type { EnglishLevel } from '@parley/domain';
import { delimit, joinPrompts } from './context/delimit.ts';
import type { LanguageModel } from './language-model.ts';
import { fillPrompt } from './prompts.ts';

const Reply = z.object({
  to: z.string(),
  hint: z.string(),
  easy: z.string(),
  intermediate: z.string(),
  hard: z.string(),
});

const PracticeDraft = z.object({
  title: z.string(),
  category: z.string(),
  minutes: z.number(),
  summary: z.string(),
  description: z.string(),
  scenario: z.string(),
  role: z.string(),
  words: z.array(z.object({ word: z.string(), meaning: z.string() })),
  objectives: z.array(z.object({ key: z.string(), description: z.string() })),
  start: z.string(),
  nodes: z.array(
    z.object({
      key: z.string(),
      easy: z.string(),
      intermediate: z.string(),
      hard: z.string(),
      rephrase: z.array(z.string()),
      replies: z.array(Reply),
      isEnd: z.boolean(),
    }),
  ),
});
export type PracticeDraft = z.infer<typeof PracticeDraft>;

const MAX_OUTPUT_TOKENS = 8_000;

/** `problems` are those of the model's last version. Throws a `ServiceFailure`. */
export async function draftPractice({
  model,
  situation,
  level,
  problems,
  signal,
}: {
  model: LanguageModel;
  situation: string;
  level: EnglishLevel;
  problems: readonly string[];
  signal: AbortSignal;
}): Promise<PracticeDraft> {
  const { value } = await model.structured({
    purpose: 'draft',
    name: 'practice',
    schema: PracticeDraft,
    instructions: fillPrompt('draft-practice', { level: fillPrompt(`level/${level}`) }),
    messages: [
      { role: 'learner', text: joinPrompts([delimit('situation', [situation]), delimit('problems', problems)]) },
    ],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    signal,
  });
  return value;
}
