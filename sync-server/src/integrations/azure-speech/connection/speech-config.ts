/** Builds the Speech SDK's configuration for a key and a region or endpoint. */
import { Recognizer, PropertyId, SpeechConfig } from 'microsoft-cognitiveservices-speech-sdk';
import { WebsocketMessageAdapter } from 'microsoft-cognitiveservices-speech-sdk/distrib/lib/src/common.browser/WebsocketMessageAdapter.js';

export interface AzureTimeouts {
  /** Limit from the first attempt until the socket is open. */
  connectMs: number;
  /** Limit from the last audio to the complete answer; during synthesis, from one chunk to the next. */
  answerMs: number;
  /** Pause before a transient failure is retried. */
  retryPauseMs: number;
}

export type AzureSpeechAccess = {
  key: string;
  timeouts?: Partial<AzureTimeouts>;
} & (
  | { region: string; endpoint?: never }
  /** `ws://host` or `wss://host` for a container or the fake, `https://name.cognitiveservices.azure.com` for an Azure resource. */
  | { endpoint: string; region?: never }
);

const DEFAULT_TIMEOUTS: AzureTimeouts = { connectMs: 8_000, answerMs: 12_000, retryPauseMs: 300 };

/**
 * Syllables, the names of phonemes, spoken phonemes and prosody exist in this locale only
 * (Microsoft Learn, "Use pronunciation assessment", supported features per locale).
 */
const LANGUAGE = 'en-US';

/**
 * Learners pause to search for words, so a phrase continues over a pause of this length. Microsoft's own sample for pronunciation
 * assessment (pronunciationAssessmentContinue.js) uses the same value; 100 to 5,000 ms are allowed (Microsoft Learn, "How to recognize
 * speech").
 */
const SEGMENTATION_SILENCE_MS = 1_500;

/** Zero disables the limit ("How to recognize speech"), so a learner may think before speaking. The server ends the audio itself. */
const UNLIMITED_INITIAL_SILENCE = 0;

/** Buffered audio is sent at once instead of at twice the speed of speech. The property's name, with its typo, is the SDK's. */
const SEND_UNTHROTTLED_MS = 60_000;

// The SDK prefers Node's own WebSocket, which does not report the status of a rejected upgrade, so a wrong key would look like a lost
// network. `ws`, which the SDK includes, reports it.
WebsocketMessageAdapter.forceNpmWebSocket = true;
// Telemetry is sent after the last answer and would open a second socket when the service has already closed the first.
Recognizer.enableTelemetry(false);

export const resolveTimeouts = ({ timeouts }: AzureSpeechAccess): AzureTimeouts => ({
  ...DEFAULT_TIMEOUTS,
  ...timeouts,
});

const isWebSocketUrl = (url: URL): boolean => url.protocol === 'ws:' || url.protocol === 'wss:';

function createSpeechConfig(access: AzureSpeechAccess): SpeechConfig {
  if (access.endpoint === undefined) return SpeechConfig.fromSubscription(access.key, access.region);
  const url = new URL(access.endpoint);
  const isBareHost = isWebSocketUrl(url) && url.pathname === '/';
  return isBareHost ? SpeechConfig.fromHost(url, access.key) : SpeechConfig.fromEndpoint(url, access.key);
}

export function recognitionConfig(access: AzureSpeechAccess): SpeechConfig {
  const config = createSpeechConfig(access);
  config.speechRecognitionLanguage = LANGUAGE;
  const properties: [name: PropertyId | string, value: number][] = [
    [PropertyId.Speech_SegmentationSilenceTimeoutMs, SEGMENTATION_SILENCE_MS],
    [PropertyId.SpeechServiceConnection_InitialSilenceTimeoutMs, UNLIMITED_INITIAL_SILENCE],
    ['SPEECH-TransmitLengthBeforThrottleMs', SEND_UNTHROTTLED_MS],
    // The adapter retries itself, with all the audio from the beginning.
    ['SPEECH-Error-MaxRetryCount', 0],
  ];
  for (const [name, value] of properties) config.setProperty(name, String(value));
  return config;
}

/** A synthesis endpoint is configured by its host alone. With a path, the SDK first asks an HTTPS server for another address. */
export function synthesisConfig(access: AzureSpeechAccess): SpeechConfig {
  if (access.endpoint === undefined || !isWebSocketUrl(new URL(access.endpoint))) return createSpeechConfig(access);
  return SpeechConfig.fromHost(new URL(access.endpoint), access.key);
}
