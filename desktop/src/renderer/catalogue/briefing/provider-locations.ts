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
    return t(
      'Your voice goes to {recipient} for as long as the call lasts, and Parley doesn’t keep it there. It’s recorded and scored on this computer.',
      { recipient: RECIPIENT_BY_LOCATION[offer.realtime.where] },
    );
  const coachRecipient = RECIPIENT_BY_LOCATION[offer.coach.where];
  if (session.style === 'text')
    return t('The coach answers in its own words: what you write goes to {coachRecipient}.', { coachRecipient });
  if (offer.scorer !== null)
    return t(
      'The coach answers in its own words. Your voice goes to {voiceRecipient} to be transcribed and scored, and the text goes to {coachRecipient} to be answered. Parley doesn’t keep your voice there.',
      { voiceRecipient: RECIPIENT_BY_LOCATION[offer.scorer.where], coachRecipient },
    );
  if (offer.transcriber !== null)
    return t(
      'The coach answers in its own words. Your voice goes to {voiceRecipient} to be transcribed, and the text goes to {coachRecipient} to be answered. Parley doesn’t keep your voice there.',
      { voiceRecipient: RECIPIENT_BY_LOCATION[offer.transcriber.where], coachRecipient },
    );
  return t(
    'The coach answers in its own words. Your voice stays here: you type what you said, and the text goes to {coachRecipient}.',
    { coachRecipient },
  );
}
