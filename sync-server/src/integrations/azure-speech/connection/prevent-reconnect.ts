/** Prevents the Speech SDK from opening a second socket. */
import { type PropertyCollection, PropertyId } from 'microsoft-cognitiveservices-speech-sdk';

/** An invalid URL makes a second connection fail before it starts. */
const INVALID_ENDPOINT = 'one socket only';

/**
 * Once a socket is open, the SDK replaces it whenever it closes, even when we close it. That would resume in the middle of an utterance
 * and leak a socket. Without an address the SDK cannot reconnect. Call this as soon as the first socket is open.
 */
export function preventReconnect({ properties }: { properties: PropertyCollection }): void {
  properties.setProperty(PropertyId.SpeechServiceConnection_Endpoint, INVALID_ENDPOINT);
}
