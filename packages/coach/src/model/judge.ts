/**
 * Judges which open objectives a learner has reached. A model proposes and this module verifies. The judge sees only the objectives and the
 * conversation, and the coach's own reply has no influence.
 */
import { type CoachEvent, type CompletedObjective, type LearnerTurn, ServiceFailure, type Turn } from '@parley/domain';
import { z } from 'zod';
import type { ConversationState } from '../coach.ts';
import { comparableWords, isFunctionWord } from '../text/comparable-words.ts';
import { sanitize, delimit, joinPrompts } from './context/delimit.ts';
import { findQuote, overlaps, sliceQuote, type Span } from '../text/find-quote.ts';
import type { ModelObjective, ModelScene } from './context/scene-context.ts';
import { addressesModel } from './safety/injection-patterns.ts';
import { fillPrompt, type PromptText } from './prompts.ts';

export type Proof = Omit<Extract<CoachEvent, { type: 'proved' }>, 'type'>;

const Verdict = z.object({ proofs: z.array(z.object({ objective: z.number(), words: z.string() })) });
type Verdict = z.infer<typeof Verdict>;

const MAX_PROOF = 400;
const MAX_CONTEXT = 1_500;
/** The number of turns judged at the end, and the time limit for it, because the learner is waiting for their result. */
const MAX_FINAL_TURNS = 12;
const FINAL_JUDGE_TIMEOUT_MS = 8_000;

type JudgeScene = Pick<ModelScene, 'model' | 'objectives'>;

/** Returns an empty list when there is nothing to prove. A failing provider only costs its proofs. */
export async function judgeTurn(
  scene: JudgeScene,
  conversation: ConversationState,
  { said, signal }: { said: LearnerTurn; signal: AbortSignal },
): Promise<Proof[]> {
  const openObjectives = listOpenObjectives(scene, conversation);
  // A turn that addresses the judge is not an answer to the coach.
  if (openObjectives.length === 0 || addressesModel(said.text)) return [];
  try {
    const question = conversation.turns.findLast((turn) => turn.role === 'coach')?.text ?? '';
    const evidence = joinPrompts([delimitCoachTurn(question), delimit('said', [said.text])]);
    const proofs = await requestVerdict(scene, {
      prompt: 'judge',
      open: openObjectives,
      evidence,
      among: [said],
      signal,
    });
    return proofs.map(({ objectiveId, words }) => ({ objectiveId, words }));
  } catch (error) {
    // The reply itself reports a failing provider.
    if (isExpectedFailure(error, signal)) return [];
    throw error;
  }
}

/**
 * Judges the open objectives once more at the end, because a call may have ended or a reply failed before a turn was judged. Null when the
 * judge fails.
 */
export async function judgeOpenObjectives(
  scene: JudgeScene,
  conversation: ConversationState,
  signal: AbortSignal,
): Promise<CompletedObjective[] | null> {
  const openObjectives = listOpenObjectives(scene, conversation);
  const mayProve = (turn: Turn): turn is LearnerTurn => turn.role === 'learner' && !addressesModel(turn.text);
  const candidates: LearnerTurn[] = [];
  for (const turn of conversation.turns.toReversed()) {
    if (candidates.length === MAX_FINAL_TURNS) break;
    if (mayProve(turn)) candidates.unshift(turn);
  }
  const [first] = candidates;
  if (openObjectives.length === 0 || first === undefined) return [];
  // Includes the turn before the first one, which provides the question.
  const excerpt = conversation.turns.slice(Math.max(0, conversation.turns.indexOf(first) - 1));
  const evidence = joinPrompts(
    excerpt.flatMap((turn) => {
      if (turn.role === 'coach') return [delimitCoachTurn(turn.text)];
      return candidates.includes(turn) ? [delimit('said', [turn.text])] : [];
    }),
  );
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(FINAL_JUDGE_TIMEOUT_MS)]);
  try {
    return await requestVerdict(scene, {
      prompt: 'judge-rest',
      open: openObjectives,
      evidence,
      among: candidates,
      signal: deadline,
    });
  } catch (error) {
    if (isExpectedFailure(error, deadline)) return null;
    throw error;
  }
}

/** A provider that fails, a refusal with a code (such as an exhausted budget) or an abort. Anything else is a bug. */
const isExpectedFailure = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || error instanceof ServiceFailure || (error instanceof Error && 'code' in error);

const listOpenObjectives = ({ objectives }: JudgeScene, { completed }: ConversationState): ModelObjective[] => {
  const done = new Set(completed.map(({ objectiveId }) => objectiveId));
  return objectives.filter(({ objectiveId }) => !done.has(objectiveId));
};

const delimitCoachTurn = (text: string): PromptText => delimit('coach_said', [sanitize(text, MAX_CONTEXT)]);

interface JudgeRequest {
  prompt: 'judge' | 'judge-rest';
  open: readonly ModelObjective[];
  evidence: PromptText;
  among: readonly LearnerTurn[];
  signal: AbortSignal;
}

async function requestVerdict(
  { model }: JudgeScene,
  { prompt, open, evidence, among, signal }: JudgeRequest,
): Promise<CompletedObjective[]> {
  const objectives = open.map(({ description }, at) => `${at + 1}. ${description}`);
  const { value } = await model.structured({
    purpose: 'judge',
    name: 'verdict',
    schema: Verdict,
    instructions: fillPrompt(prompt),
    messages: [{ role: 'learner', text: joinPrompts([delimit('objectives', objectives), evidence]) }],
    maxOutputTokens: 400,
    signal,
  });
  return verifyProofs(value, open, among);
}

/** Each objective needs its own words, because one statement must not prove four objectives. */
function verifyProofs(
  { proofs }: Verdict,
  openObjectives: readonly ModelObjective[],
  candidates: readonly LearnerTurn[],
): CompletedObjective[] {
  const usedSpans: (Span & Pick<LearnerTurn, 'turnId'>)[] = [];
  const byObjective = new Map<number, CompletedObjective>();
  for (const { objective, words: quoted } of proofs) {
    const proved = openObjectives[objective - 1];
    if (proved === undefined || byObjective.has(objective)) continue;
    for (const { turnId, text } of candidates) {
      const span = findQuote(text, quoted);
      if (span === null || usedSpans.some((other) => other.turnId === turnId && overlaps(other, span))) continue;
      const words = sliceQuote(text, span, MAX_PROOF);
      if (!isEvidence(words, text)) continue;
      usedSpans.push({ ...span, turnId });
      byObjective.set(objective, { objectiveId: proved.objectiveId, turnId, words });
      break;
    }
  }
  return [...byObjective.values()];
}

/**
 * Words of another language prove nothing, and neither do function words, unless they are all that was said or form a
 * question, such as “And you?”.
 */
function isEvidence(words: string, said: string): boolean {
  const quoted = comparableWords(words).filter((word) => /[a-z]/.test(word));
  if (quoted.some((word) => !isFunctionWord(word))) return true;
  const isWhole = quoted.length === comparableWords(said).length;
  const isQuestion = said.includes(`${words}?`) || words.endsWith('?');
  return quoted.length > 0 && (isWhole || isQuestion);
}
