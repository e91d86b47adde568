/** Describes what leaves this computer during a practice, and who receives it. */
import { t } from '@parley/i18n';
import type { CoachKind, CoachAvailability } from '@parley/contract';
import type { CommunicationStyle } from '@parley/domain';
import { RECIPIENT_BY_LOCATION } from '../../foundation/sentences/ai-location-names.ts';

export function describeProviderLocations(
  offer: CoachAvailability | null,
  session: { coachKind: CoachKind; style: CommunicationStyle; isCall: boolean },
): string {
  if (session.coachKind === 'guided' || offer === null || offer.coach === null)
    return t('It works without internet and costs nothing.');
  if (session.isCall && offer.realtime !== null)
    return `Your voice goes to ${RECIPIENT_BY_LOCATION[offer.realtime.where]} for as long as the call lasts. It is recorded and scored on this computer; no sound is kept there by us.`;
  const coachRecipient = RECIPIENT_BY_LOCATION[offer.coach.where];
  if (session.style === 'text')
    return t('The coach answers in its own words: what you write goes to {coachRecipient}.', { coachRecipient });
  const listener = offer.scorer ?? offer.transcriber;
  if (listener === null)
    return t(
      'The coach answers in its own words. Your voice stays here: you write down what you said, and that goes to {coachRecipient}.',
      { coachRecipient },
    );
  const voicePurpose = offer.scorer === null ? t('to be transcribed') : t('to be transcribed and scored');
  return `The coach answers in its own words. Your voice goes to ${RECIPIENT_BY_LOCATION[listener.where]}, ${voicePurpose}, and your words to ${coachRecipient}, to be answered; no sound is kept there by us.`;
}
