/** How Azure's speech service is reached: the key, where it is, how long it may take, and what the SDK is told every time. */
import { Recognizer, PropertyId, SpeechConfig } from 'microsoft-cognitiveservices-speech-sdk';
import { WebsocketMessageAdapter } from 'microsoft-cognitiveservices-speech-sdk/distrib/lib/src/common.browser/WebsocketMessageAdapter.js';

export interface AzureTimeouts {
  /** From the first try until the socket is open. */
  connectMs: number;
  /** From the last sound until everything is answered; while a text is spoken, from one piece to the next. */
  answerMs: number;
  /** Before a transient failure is tried again. */
  retryPauseMs: number;
}

export type AzureSpeechAccess = {
  key: string;
  timeouts?: Partial<AzureTimeouts>;
} & (
  | { region: string; endpoint?: never }
  /** `ws://host` or `wss://host` for a container or the twin, `https://name.cognitiveservices.azure.com` for a resource of one's own. */
  | { endpoint: string; region?: never }
);

const DEFAULT_TIMEOUTS: AzureTimeouts = { connectMs: 8_000, answerMs: 12_000, retryPauseMs: 300 };

/**
 * Syllables, the names of phonemes, spoken phonemes and prosody exist in this locale only
 * (Microsoft Learn, "Use pronunciation assessment", supported features per locale).
 */
const LANGUAGE = 'en-US';

/**
 * A learner searches for words: a phrase goes on over a pause of this length. Microsoft's own sample for pronunciation assessment
 * (pronunciationAssessmentContinue.js) sets the same; 100 to 5,000 ms are allowed (Microsoft Learn, "How to recognize speech").
 */
const PAUSE_WITHIN_A_PHRASE_MS = 1_500;

/** Who thinks before speaking is waited for: 0 switches the limit off ("How to recognize speech"), as we say ourselves when the sound ends. */
const NO_LIMIT_TO_INITIAL_SILENCE = 0;

/** Sound that was kept is sent at once rather than at twice the speed of speech; the name is the SDK's, its spelling too. */
const SEND_UNTHROTTLED_MS = 60_000;

// Node has a WebSocket of its own, and the SDK prefers it, but that one does not tell the status of a refused upgrade: a wrong key would
// look like a lost network. `ws`, which the SDK brings along, tells it.
WebsocketMessageAdapter.forceNpmWebSocket = true;
// Telemetry is sent after the last answer, and would open a second socket where the service has already closed the first.
Recognizer.enableTelemetry(false);

export const timeoutsOf = ({ timeouts }: AzureSpeechAccess): AzureTimeouts => ({ ...DEFAULT_TIMEOUTS, ...timeouts });

const isHost = (url: URL): boolean => url.protocol === 'ws:' || url.protocol === 'wss:';

function configFor(access: AzureSpeechAccess): SpeechConfig {
  if (access.endpoint === undefined) return SpeechConfig.fromSubscription(access.key, access.region);
  const url = new URL(access.endpoint);
  const isBareHost = isHost(url) && url.pathname === '/';
  return isBareHost ? SpeechConfig.fromHost(url, access.key) : SpeechConfig.fromEndpoint(url, access.key);
}

export function recognitionConfig(access: AzureSpeechAccess): SpeechConfig {
  const config = configFor(access);
  config.speechRecognitionLanguage = LANGUAGE;
  const properties: [name: PropertyId | string, value: number][] = [
    [PropertyId.Speech_SegmentationSilenceTimeoutMs, PAUSE_WITHIN_A_PHRASE_MS],
    [PropertyId.SpeechServiceConnection_InitialSilenceTimeoutMs, NO_LIMIT_TO_INITIAL_SILENCE],
    ['SPEECH-TransmitLengthBeforThrottleMs', SEND_UNTHROTTLED_MS],
    // We try again ourselves, with all the sound from its beginning.
    ['SPEECH-Error-MaxRetryCount', 0],
  ];
  for (const [name, value] of properties) config.setProperty(name, String(value));
  return config;
}

/** A synthesis endpoint is known by its host alone: with a path the SDK asks an HTTPS server for another address first. */
export function synthesisConfig(access: AzureSpeechAccess): SpeechConfig {
  if (access.endpoint === undefined || !isHost(new URL(access.endpoint))) return configFor(access);
  return SpeechConfig.fromHost(new URL(access.endpoint), access.key);
}
