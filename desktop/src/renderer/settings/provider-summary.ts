/** Describes which service does what, and where. An undefined offer is still loading or unavailable. */
import { t } from '@parley/i18n';
import type { CoachAvailability } from '@parley/contract';
import { PHRASE_BY_LOCATION } from '../foundation/sentences/ai-location-names.ts';

export const describeScoring = (scorer: string, offer: CoachAvailability | undefined): string =>
  offer === undefined || offer.scorer === null
    ? `measured ${scorer}; your voice does not leave it for that`
    : `measured ${scorer}; in a conversation turn by turn ${PHRASE_BY_LOCATION[offer.scorer.where]}`;

export function describeModelCoach(serverAddress: string | null, offer: CoachAvailability | undefined): string {
  if (serverAddress === null) return t('none: it needs a server');
  return offer === undefined || offer.coach === null
    ? t('none: no server offers one now')
    : `the model ${offer.coach.name}, ${PHRASE_BY_LOCATION[offer.coach.where]}; it gets the words of a live conversation`;
}

export const describeVoice = (offer: CoachAvailability | undefined): string =>
  offer === undefined || offer.voice === null
    ? t('this computer’s voices, or a built-in one')
    : `a live coach speaks with a voice made ${PHRASE_BY_LOCATION[offer.voice.where]}; all else with this computer’s`;

export const describeTranscription = (offer: CoachAvailability | undefined): string =>
  offer === undefined || offer.transcriber === null
    ? t('on this device alone: it knows the replies of a guided practice')
    : t('in a live conversation your voice is written down {name}, and not kept there by us', {
        name: PHRASE_BY_LOCATION[offer.transcriber.where],
      });

/** Realtime sessions. */
export function describeRealtime(serverAddress: string | null, offer: CoachAvailability | undefined): string {
  if (serverAddress === null) return t('none: they need a server');
  if (offer === undefined || offer.coach === null) return t('none: no server offers them now');
  if (offer.realtime === null) return t('none: your server has no model that listens and speaks at once');
  return `the model ${offer.realtime.name}, ${PHRASE_BY_LOCATION[offer.realtime.where]}; it gets your voice while a call lasts, and no sound is kept there by us`;
}
