/** Describes which service does what, and where. An undefined offer is still loading or unavailable. */
import { t } from '@parley/i18n';
import type { CoachAvailability } from '@parley/contract';
import { RECIPIENT_BY_LOCATION } from '../foundation/sentences/ai-location-names.ts';

export const describeScoring = (offer: CoachAvailability | undefined): string =>
  offer === undefined || offer.scorer === null
    ? t('On this computer. Your voice isn’t sent anywhere to be scored.')
    : t('On this computer. When you take turns with a live coach, your voice goes to {recipient} to be scored.', {
        recipient: RECIPIENT_BY_LOCATION[offer.scorer.where],
      });

export function describeModelCoach(serverAddress: string | null, offer: CoachAvailability | undefined): string {
  if (serverAddress === null) return t('None. A live coach needs a server.');
  return offer === undefined || offer.coach === null
    ? t('None right now. Your server doesn’t offer one, or can’t be reached.')
    : t('{model}. What is said in a live conversation goes to {recipient} as text.', {
        model: offer.coach.name,
        recipient: RECIPIENT_BY_LOCATION[offer.coach.where],
      });
}

export const describeVoice = (offer: CoachAvailability | undefined): string =>
  offer === undefined || offer.voice === null
    ? t('This computer’s voices, or a built-in one.')
    : t('What a live coach says goes to {recipient} to be spoken. Everything else is spoken on this computer.', {
        recipient: RECIPIENT_BY_LOCATION[offer.voice.where],
      });

export const describeTranscription = (offer: CoachAvailability | undefined): string =>
  offer === undefined || offer.transcriber === null
    ? t('On this computer. In a guided practice, Parley knows which replies to expect.')
    : t('In a live conversation, your voice goes to {recipient} to be transcribed. Parley doesn’t keep it there.', {
        recipient: RECIPIENT_BY_LOCATION[offer.transcriber.where],
      });

/** Realtime sessions. */
export function describeRealtime(serverAddress: string | null, offer: CoachAvailability | undefined): string {
  if (serverAddress === null) return t('None. Calls need a server.');
  if (offer === undefined || offer.coach === null)
    return t('None right now. Your server doesn’t offer calls, or can’t be reached.');
  if (offer.realtime === null) return t('None. Your server has no model that can listen and speak at the same time.');
  return t('{model}. Your voice goes to {recipient} while a call lasts. Parley doesn’t keep it there.', {
    model: offer.realtime.name,
    recipient: RECIPIENT_BY_LOCATION[offer.realtime.where],
  });
}
