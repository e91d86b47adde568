/** Who does what of a practice, and where, in plain words. No offer is none yet, or none to be had. */
import type { CoachOffer } from '@parley/contract';
import { PLACES } from '../app/ai-places.ts';

export const scores = (scorer: string, offer: CoachOffer | undefined): string =>
  offer === undefined || offer.scorer === null
    ? `measured ${scorer}; your voice does not leave it for that`
    : `measured ${scorer}; in a conversation turn by turn ${PLACES[offer.scorer.where]}`;

export function liveCoach(serverAddress: string | null, offer: CoachOffer | undefined): string {
  if (serverAddress === null) return 'none: it needs a server';
  return offer === undefined || offer.coach === null
    ? 'none: no server offers one now'
    : `the model ${offer.coach.name}, ${PLACES[offer.coach.where]}; it gets the words of a live conversation`;
}

export const voice = (offer: CoachOffer | undefined): string =>
  offer === undefined || offer.voice === null
    ? 'the voices of this computer, else one that is built in'
    : `a live coach speaks with a voice made ${PLACES[offer.voice.where]}; all else with this computer’s`;

export const listening = (offer: CoachOffer | undefined): string =>
  offer === undefined || offer.transcriber === null
    ? 'on this device alone: it knows the replies of a guided practice'
    : `in a live conversation your voice is written down ${PLACES[offer.transcriber.where]}, and not kept there by us`;

/** In which both speak at once. */
export function calls(serverAddress: string | null, offer: CoachOffer | undefined): string {
  if (serverAddress === null) return 'none: they need a server';
  if (offer === undefined || offer.coach === null) return 'none: no server offers them now';
  if (offer.realtime === null) return 'none: your server has no model that listens and speaks at once';
  return `the model ${offer.realtime.name}, ${PLACES[offer.realtime.where]}; it gets your voice while a call lasts, and no sound is kept there by us`;
}
