/** What leaves this computer during a practice, and to whom, in plain words. */
import type { CoachKind, CoachOffer } from '@parley/contract';
import type { CommunicationStyle } from '@parley/domain';
import { RECIPIENTS } from '../app/ai-places.ts';

export function whereItRuns(
  offer: CoachOffer | null,
  held: { coachKind: CoachKind; style: CommunicationStyle; isCall: boolean },
): string {
  if (held.coachKind === 'guided' || offer === null || offer.coach === null)
    return 'It works without internet and costs nothing.';
  if (held.isCall && offer.realtime !== null)
    return `Your voice goes to ${RECIPIENTS[offer.realtime.where]} for as long as the call lasts. It is recorded and scored on this computer; no sound is kept there by us.`;
  const answers = RECIPIENTS[offer.coach.where];
  if (held.style === 'text') return `The coach answers in its own words: what you write goes to ${answers}.`;
  const ears = offer.scorer ?? offer.transcriber;
  if (ears === null)
    return `The coach answers in its own words. Your voice stays here: you write down what you said, and that goes to ${answers}.`;
  const heard = offer.scorer === null ? 'to be written down' : 'to be written down and scored';
  return `The coach answers in its own words. Your voice goes to ${RECIPIENTS[ears.where]}, ${heard}, and your words to ${answers}, to be answered; no sound is kept there by us.`;
}
