/**
 * Which open objectives a learner has reached with their last words. A model proposes; here it is checked. It is told nothing but the
 * objectives and the two last turns, and the coach's own answer has no say in it.
 */
import type { CoachEvent, LearnerTurn } from '@parley/domain';
import { z } from 'zod';
import type { Held } from '../coach.ts';
import { comparableWords, isFunctionWord } from '../words.ts';
import { disarmed, fence, joinPrompts } from './fence.ts';
import { findQuote, overlaps, quoteAt, type Span } from '../find-quote.ts';
import type { ModelObjective, ModelScene } from './model-scene.ts';
import { addressesMachine } from './orders.ts';
import { fillPrompt } from './prompts.ts';

export type Proof = Omit<Extract<CoachEvent, { type: 'proved' }>, 'type'>;

const Verdict = z.object({ proofs: z.array(z.object({ objective: z.number(), words: z.string() })) });
type Verdict = z.infer<typeof Verdict>;

const MAX_PROOF = 400;
const MAX_CONTEXT = 1_500;

/** Empty where there is nothing to prove. Never rejects: a judge that fails costs its ticks and nothing else. */
export async function judgeTurn(
  scene: Pick<ModelScene, 'model' | 'objectives'>,
  held: Held,
  { said, signal }: { said: LearnerTurn; signal: AbortSignal },
): Promise<Proof[]> {
  const done = new Set(held.completed.map(({ objectiveId }) => objectiveId));
  const open = scene.objectives.filter(({ objectiveId }) => !done.has(objectiveId));
  // Whoever talks to the judge has not talked to the partner.
  if (open.length === 0 || addressesMachine(said.text)) return [];
  try {
    const asked = held.turns.findLast((turn) => turn.role === 'coach')?.text ?? '';
    const { value } = await scene.model.structured({
      purpose: 'judge',
      name: 'verdict',
      schema: Verdict,
      instructions: fillPrompt('judge'),
      messages: [
        {
          role: 'learner',
          text: joinPrompts([
            fence(
              'objectives',
              open.map(({ description }, at) => `${at + 1}. ${description}`),
            ),
            fence('coach_said', [disarmed(asked, MAX_CONTEXT)]),
            fence('said', [said.text]),
          ]),
        },
      ],
      maxOutputTokens: 400,
      signal,
    });
    return checked(value, open, said.text);
  } catch {
    // Whoever asked for the reply hears of a provider in trouble by the reply itself.
    return [];
  }
}

/** Each objective once, each by words of its own: a learner who says one thing has not said four. */
function checked({ proofs }: Verdict, open: readonly ModelObjective[], said: string): Proof[] {
  const taken: Span[] = [];
  const byObjective = new Map<number, Proof>();
  for (const { objective, words: quoted } of proofs) {
    const proved = open[objective - 1];
    const span = findQuote(said, quoted);
    if (proved === undefined || span === null || byObjective.has(objective)) continue;
    const words = quoteAt(said, span, MAX_PROOF);
    if (taken.some((other) => overlaps(other, span)) || !isEvidence(words)) continue;
    taken.push(span);
    byObjective.set(objective, { objectiveId: proved.objectiveId, words });
  }
  return [...byObjective.values()];
}

/** "The" and "to me" prove nothing, and neither does another language in an English lesson. */
const isEvidence = (words: string): boolean =>
  comparableWords(words).some((word) => /[a-z]/.test(word) && !isFunctionWord(word));
