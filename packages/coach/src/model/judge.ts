/**
 * Which open objectives a learner has reached. A model proposes; here it is checked. It is told nothing but the
 * objectives and what was said, and the coach's own answer has no say in it.
 */
import type { CoachEvent, CompletedObjective, LearnerTurn, Turn } from '@parley/domain';
import { z } from 'zod';
import type { Held } from '../coach.ts';
import { comparableWords, isFunctionWord } from '../words.ts';
import { disarmed, fence, joinPrompts } from './fence.ts';
import { findQuote, overlaps, quoteAt, type Span } from '../find-quote.ts';
import type { ModelObjective, ModelScene } from './model-scene.ts';
import { addressesMachine } from './orders.ts';
import { fillPrompt, type PromptText } from './prompts.ts';

export type Proof = Omit<Extract<CoachEvent, { type: 'proved' }>, 'type'>;

const Verdict = z.object({ proofs: z.array(z.object({ objective: z.number(), words: z.string() })) });
type Verdict = z.infer<typeof Verdict>;

const MAX_PROOF = 400;
const MAX_CONTEXT = 1_500;
/** What is judged when it is over, and how long that may take: somebody waits for their result. */
const MAX_REST_TURNS = 12;
const MAX_REST_MS = 8_000;

type Judge = Pick<ModelScene, 'model' | 'objectives'>;

/** Empty where there is nothing to prove. Never rejects: a judge that fails costs its ticks and nothing else. */
export async function judgeTurn(
  scene: Judge,
  held: Held,
  { said, signal }: { said: LearnerTurn; signal: AbortSignal },
): Promise<Proof[]> {
  const open = openOf(scene, held);
  // Whoever talks to the judge has not talked to the partner.
  if (open.length === 0 || addressesMachine(said.text)) return [];
  try {
    const asked = held.turns.findLast((turn) => turn.role === 'coach')?.text ?? '';
    const evidence = joinPrompts([coachSaid(asked), fence('said', [said.text])]);
    const proofs = await verdictOn(scene, { prompt: 'judge', open, evidence, among: [said], signal });
    return proofs.map(({ objectiveId, words }) => ({ objectiveId, words }));
  } catch {
    // Whoever asked for the reply hears of a provider in trouble by the reply itself.
    return [];
  }
}

/**
 * What the end of a conversation proves of objectives that are open when it is over: a call may have ended, or an answer failed, before a turn
 * was judged. Null where the judge fails.
 */
export async function judgeRest(scene: Judge, held: Held, signal: AbortSignal): Promise<CompletedObjective[] | null> {
  const open = openOf(scene, held);
  const mayProve = (turn: Turn): turn is LearnerTurn => turn.role === 'learner' && !addressesMachine(turn.text);
  const among = held.turns.filter(mayProve).slice(-MAX_REST_TURNS);
  const [first] = among;
  if (open.length === 0 || first === undefined) return [];
  // One before it: what the first of them answers.
  const told = held.turns.slice(Math.max(0, held.turns.indexOf(first) - 1));
  const evidence = joinPrompts(
    told.flatMap((turn) => {
      if (turn.role === 'coach') return [coachSaid(turn.text)];
      return among.includes(turn) ? [fence('said', [turn.text])] : [];
    }),
  );
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(MAX_REST_MS)]);
    return await verdictOn(scene, { prompt: 'judge-rest', open, evidence, among, signal: patience });
  } catch {
    return null;
  }
}

const openOf = ({ objectives }: Judge, { completed }: Held): ModelObjective[] => {
  const done = new Set(completed.map(({ objectiveId }) => objectiveId));
  return objectives.filter(({ objectiveId }) => !done.has(objectiveId));
};

const coachSaid = (text: string): PromptText => fence('coach_said', [disarmed(text, MAX_CONTEXT)]);

interface Case {
  prompt: 'judge' | 'judge-rest';
  open: readonly ModelObjective[];
  evidence: PromptText;
  among: readonly LearnerTurn[];
  signal: AbortSignal;
}

async function verdictOn(
  { model }: Judge,
  { prompt, open, evidence, among, signal }: Case,
): Promise<CompletedObjective[]> {
  const objectives = open.map(({ description }, at) => `${at + 1}. ${description}`);
  const { value } = await model.structured({
    purpose: 'judge',
    name: 'verdict',
    schema: Verdict,
    instructions: fillPrompt(prompt),
    messages: [{ role: 'learner', text: joinPrompts([fence('objectives', objectives), evidence]) }],
    maxOutputTokens: 400,
    signal,
  });
  return checked(value, open, among);
}

/** Each objective once, each by words of its own: a learner who says one thing has not said four. */
function checked(
  { proofs }: Verdict,
  open: readonly ModelObjective[],
  among: readonly LearnerTurn[],
): CompletedObjective[] {
  const taken: (Span & Pick<LearnerTurn, 'turnId'>)[] = [];
  const byObjective = new Map<number, CompletedObjective>();
  for (const { objective, words: quoted } of proofs) {
    const proved = open[objective - 1];
    if (proved === undefined || byObjective.has(objective)) continue;
    for (const { turnId, text } of among) {
      const span = findQuote(text, quoted);
      if (span === null || taken.some((other) => other.turnId === turnId && overlaps(other, span))) continue;
      const words = quoteAt(text, span, MAX_PROOF);
      if (!isEvidence(words)) continue;
      taken.push({ ...span, turnId });
      byObjective.set(objective, { objectiveId: proved.objectiveId, turnId, words });
      break;
    }
  }
  return [...byObjective.values()];
}

/** "The" and "to me" prove nothing, and neither does another language in an English lesson. */
const isEvidence = (words: string): boolean =>
  comparableWords(words).some((word) => /[a-z]/.test(word) && !isFunctionWord(word));
