/** What a model says of a conversation that is over, as far as the conversation bears it out. */
import type { CoachReview } from '@parley/domain';
import { z } from 'zod';
import type { Held } from '../coach.ts';
import { cutText } from '../cut-text.ts';
import { findQuote } from '../find-quote.ts';
import { writtenReview } from '../feedback/written-review.ts';
import { comparableWords } from '../words.ts';
import { isShowable, trustedCorrections } from './corrections.ts';
import { joinPrompts } from './fence.ts';
import { judgeRest } from './judge.ts';
import { levelText, type ModelScene, objectivesFence, rememberedFence, sceneFence } from './model-scene.ts';
import { fillPrompt } from './prompts.ts';
import { worthRemembering } from './remember.ts';
import { transcriptOf } from './transcript.ts';
import { plainSentence } from './visible-text.ts';

const SENTENCES = ['best', 'fix', 'nextStep', 'summary'] as const;

/** Without bounds: a sentence that is too long shall not cost the rest. One that has none at all is asked for once more. */
const Proposed = z
  .object({
    best: z.string(),
    fix: z.string(),
    nextStep: z.string(),
    summary: z.string(),
    corrections: z.array(z.object({ said: z.string(), better: z.string(), why: z.string() })),
    remember: z.array(z.string()),
    languageQuality: z.number(),
  })
  .refine((proposed) => SENTENCES.some((name) => proposed[name].trim() !== ''), 'Every sentence is empty.');
type Proposed = z.infer<typeof Proposed>;

/** Fewer words of a learner tell nothing about their English. */
const MIN_WORDS_TO_JUDGE = 12;
const MAX_SENTENCE = 400;

/** What is open still is judged first, so that the sentences know of it. Without a model where the learner said nothing. Throws a `ModelFailure`. */
export async function reviewWith(scene: ModelScene, talk: Held, signal: AbortSignal): Promise<CoachReview> {
  signal.throwIfAborted();
  const proofs = await judgeRest(scene, talk, signal);
  const held = { ...talk, completed: [...talk.completed, ...(proofs ?? [])] };
  const review = await sentencesOf(scene, held, signal);
  return proofs === null ? review : { ...review, proofs };
}

async function sentencesOf(scene: ModelScene, held: Held, signal: AbortSignal): Promise<CoachReview> {
  const written = writtenReview({ title: scene.practice.title, objectives: scene.objectives }, held);
  if (!held.turns.some((turn) => turn.role === 'learner')) return written;
  const { value } = await scene.model.structured({
    purpose: 'review',
    name: 'review',
    schema: Proposed,
    instructions: fillPrompt('review', { level: levelText(scene) }),
    messages: [
      {
        role: 'learner',
        text: joinPrompts([
          sceneFence(scene),
          objectivesFence(scene, held),
          rememberedFence(scene),
          transcriptOf(held.turns),
        ]),
      },
    ],
    maxOutputTokens: 1_500,
    signal,
  });
  return bornOut(value, { scene, held, written });
}

function bornOut(
  proposed: Proposed,
  { scene, held, written }: { scene: ModelScene; held: Held; written: CoachReview },
): CoachReview {
  /** A sentence that cannot be shown is replaced by the one that is written without a model. */
  const sentence = (name: (typeof SENTENCES)[number]): string => {
    const text = cutText(plainSentence(proposed[name]), MAX_SENTENCE);
    const isTrue = name !== 'best' || quotesWhatWasSaid(text, held);
    return isTrue && isShowable(text) ? text : written[name];
  };
  return {
    best: sentence('best'),
    fix: sentence('fix'),
    nextStep: sentence('nextStep'),
    summary: sentence('summary'),
    corrections: trustedCorrections(proposed.corrections, held.turns),
    remember: worthRemembering(proposed.remember, scene.remembered),
    languageQuality: hasSaidEnough(held) ? markOf(proposed.languageQuality) : null,
  };
}

/** Nobody is praised for words that they did not say. In the other sentences a quote may be what they should have said. */
const quotesWhatWasSaid = (text: string, { turns }: Held): boolean =>
  [...text.matchAll(/[“"]([^“”"]+)[”"]/g)].every(([, quoted = '']) =>
    turns.some((turn) => turn.role === 'learner' && findQuote(turn.text, quoted) !== null),
  );

/** What is no mark from 0 to 100 is none: a number would be made up. */
const markOf = (mark: number): number | null => (mark >= 0 && mark <= 100 ? Math.round(mark) : null);

const hasSaidEnough = ({ turns }: Held): boolean =>
  turns.flatMap((turn) => (turn.role === 'learner' ? comparableWords(turn.text) : [])).length >= MIN_WORDS_TO_JUDGE;
