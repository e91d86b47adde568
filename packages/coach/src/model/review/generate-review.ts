/** Generates the review of a finished conversation with a model and verifies it against the conversation. */
import { type CoachReview, sentencesOf, type Turn } from '@parley/domain';
import { z } from 'zod';
import type { ConversationState } from '../../coach.ts';
import { truncateText } from '../../text/truncate-text.ts';
import { createQuoteFinder, type FindQuoteInTexts } from '../../text/find-quote.ts';
import { reviewWithoutModel } from '../../feedback/review-without-model.ts';
import { comparableWords } from '../../text/comparable-words.ts';
import { isSafeToShow, verifiedCorrections } from './verify-corrections.ts';
import { judgeOpenObjectives } from '../judge.ts';
import {
  levelPrompt,
  type ModelScene,
  delimitObjectives,
  delimitMemories,
  delimitScene,
} from '../context/scene-context.ts';
import { fillPrompt } from '../prompts.ts';
import { addressesModel } from '../safety/injection-patterns.ts';
import { selectNewFacts } from './learner-memory.ts';
import { toTranscriptMessages } from '../context/transcript.ts';
import { stripMarkdown } from '../safety/normalise-text.ts';

const SENTENCES = ['best', 'fix', 'nextStep', 'summary'] as const;

/**
 * Has no length limits, so that one long sentence does not invalidate the rest. An answer in which every sentence is empty is requested
 * once more.
 */
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

/** With fewer words, the learner's English cannot be judged. */
const MIN_WORDS_TO_JUDGE = 12;
const MAX_SENTENCE = 400;

/**
 * Open objectives are judged first, so that the review can mention them. The model is not used when the learner said nothing. Throws a
 * `ServiceFailure`.
 */
export async function generateReview(
  scene: ModelScene,
  conversation: ConversationState,
  signal: AbortSignal,
): Promise<CoachReview> {
  signal.throwIfAborted();
  const proofs = await judgeOpenObjectives(scene, conversation, signal);
  const held = { ...conversation, completed: [...conversation.completed, ...(proofs ?? [])] };
  const review = await requestReview(scene, held, signal);
  return proofs === null ? review : { ...review, proofs };
}

async function requestReview(scene: ModelScene, held: ConversationState, signal: AbortSignal): Promise<CoachReview> {
  const fallback = reviewWithoutModel(scene, held);
  const turns = held.turns.map(withoutOrders).filter(({ text }) => text !== '');
  if (!turns.some((turn) => turn.role === 'learner')) return fallback;
  const { value } = await scene.model.structured({
    purpose: 'review',
    name: 'review',
    schema: Proposed,
    instructions: fillPrompt('review', { level: levelPrompt(scene) }),
    ...toTranscriptMessages([delimitScene(scene), delimitObjectives(scene, held), delimitMemories(scene)], turns),
    maxOutputTokens: 1_500,
    signal,
  });
  return verifyReview(value, { scene, held: { ...held, turns }, written: fallback });
}

/**
 * A model might obey a sentence that tells it which mark to give. Only such sentences are left out, because a learner may
 * also talk about marks (“I need the highest score in the exam”), and the rest of the turn is theirs to be reviewed.
 */
function withoutOrders(turn: Turn): Turn {
  if (turn.role === 'coach' || !addressesModel(turn.text)) return turn;
  const text = sentencesOf(turn.text, turn.text.length)
    .filter((sentence) => !addressesModel(sentence))
    .join(' ');
  // An order may also extend over two sentences.
  return { ...turn, text: addressesModel(text) ? '' : text };
}

function verifyReview(
  proposed: Proposed,
  { scene, held, written }: { scene: ModelScene; held: ConversationState; written: CoachReview },
): CoachReview {
  const findQuote = createQuoteFinder(held.turns.flatMap((turn) => (turn.role === 'learner' ? [turn.text] : [])));
  /** A sentence that fails the checks is replaced by the one written without a model. */
  const sentence = (name: (typeof SENTENCES)[number]): string => {
    const text = truncateText(stripMarkdown(proposed[name]), MAX_SENTENCE);
    const isVerified = name !== 'best' || quotesLearner(text, findQuote);
    return isVerified && isSafeToShow(text) ? text : written[name];
  };
  return {
    best: sentence('best'),
    fix: sentence('fix'),
    nextStep: sentence('nextStep'),
    summary: sentence('summary'),
    corrections: verifiedCorrections(proposed.corrections, findQuote),
    remember: selectNewFacts(proposed.remember, scene.remembered),
    languageQuality: hasEnoughWords(held) ? validMark(proposed.languageQuality) : null,
  };
}

/** Praise must quote the learner exactly. Other sentences may quote what the learner should have said. */
const quotesLearner = (text: string, findQuote: FindQuoteInTexts): boolean =>
  [...text.matchAll(/[“"]([^“”"]+)[”"]/g)].every(([, quoted = '']) => findQuote(quoted) !== null);

/** A value outside 0-100 is dropped rather than guessed. */
const validMark = (mark: number): number | null => (mark >= 0 && mark <= 100 ? Math.round(mark) : null);

function hasEnoughWords({ turns }: ConversationState): boolean {
  let words = 0;
  return turns.some((turn) => {
    if (turn.role === 'learner') words += comparableWords(turn.text).length;
    return words >= MIN_WORDS_TO_JUDGE;
  });
}
