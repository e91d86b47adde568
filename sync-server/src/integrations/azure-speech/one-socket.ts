/** Keeps the SDK to the socket that it has. */
import { type PropertyCollection, PropertyId } from 'microsoft-cognitiveservices-speech-sdk';

/** No URL, so that a second connection fails before it is begun. */
const NOWHERE = 'one socket only';

/**
 * Once a socket is open the SDK replaces it by itself whenever it closes, also where we are closing it: it would go on in the middle of an
 * utterance, and open a socket that nobody closes. Without an address it cannot. To be told as soon as the first socket is open.
 */
export function forbidSecondSocket({ properties }: { properties: PropertyCollection }): void {
  properties.setProperty(PropertyId.SpeechServiceConnection_Endpoint, NOWHERE);
}
