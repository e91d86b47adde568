/** Runs one pass of an utterance through Azure's recogniser: streams the audio up, collects the phrases and closes the socket. */
import { ServiceFailure, type ServiceFailureReason } from '@parley/domain';
import {
  AudioConfig,
  AudioInputStream,
  CancellationReason,
  Connection,
  type ConnectionMessage,
  OutputFormat,
  type PronunciationAssessmentConfig,
  SpeechRecognizer,
} from 'microsoft-cognitiveservices-speech-sdk';
import type { OnRecognitionPass } from '../../../ports/speech/index.ts';
import { type AzureSpeechAccess, recognitionConfig, resolveTimeouts } from '../connection/speech-config.ts';
import { createDeadline } from '../connection/deadline.ts';
import { toServiceFailure } from '../connection/to-service-failure.ts';
import { BYTES_PER_MS, type ReplayableAudio } from './replayable-audio.ts';
import { preventReconnect } from '../connection/prevent-reconnect.ts';
import { type Phrase, parsePhrase } from './phrase.ts';

/** Single-shot recognition ends with the first phrase, continuous recognition with the audio. */
export type RecognitionMode = 'once' | 'continuous';

export interface RecognitionRequest {
  access: AzureSpeechAccess;
  audio: ReplayableAudio;
  mode: RecognitionMode;
  /** Null to transcribe without assessing. */
  assess: PronunciationAssessmentConfig | null;
  signal: AbortSignal;
  heard: OnRecognitionPass;
}

interface RecognitionSession {
  recogniser: SpeechRecognizer;
  connection: Connection;
}

/** Returns the phrases, unmatched ones included. Throws a `ServiceFailure` or the signal's reason. */
export async function recognise(request: RecognitionRequest): Promise<Phrase[]> {
  request.signal.throwIfAborted();
  const config = recognitionConfig(request.access);
  config.outputFormat = request.assess === null ? OutputFormat.Simple : OutputFormat.Detailed;
  const audioStream = AudioInputStream.createPushStream();
  const recogniser = new SpeechRecognizer(config, AudioConfig.fromStreamInput(audioStream));
  request.assess?.applyTo(recogniser);
  const session = { recogniser, connection: Connection.fromRecognizer(recogniser) };
  let isConnected = false;
  session.connection.connected = () => {
    isConnected = true;
  };
  let sentBytes = 0;
  const unsubscribe = request.audio.subscribe({
    write: (pcm) => {
      sentBytes += pcm.byteLength;
      audioStream.write(pcm.buffer);
    },
    end: () => audioStream.close(),
  });
  try {
    return await collectPhrases(request, session);
  } finally {
    unsubscribe();
    audioStream.close();
    closeSession(session);
    const seconds = sentBytes / BYTES_PER_MS / 1_000;
    if (isConnected && seconds > 0) await request.heard({ seconds, isScored: request.assess !== null });
  }
}

function collectPhrases(
  request: RecognitionRequest,
  { recogniser, connection }: RecognitionSession,
): Promise<Phrase[]> {
  const { access, audio, mode, signal } = request;
  const isAssessed = request.assess !== null;
  const { connectMs, answerMs } = resolveTimeouts(access);
  const startedAt = performance.now();
  const phrases: Phrase[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Phrase[]>();
  const fail = (reason: ServiceFailureReason, explanation: string): void =>
    reject(new ServiceFailure('speech', reason, { cause: new Error(explanation) }));
  const deadline = createDeadline((what) => fail('unreachable', `no ${what} in time`));
  const onAbort = (): void => reject(signal.reason);
  let isConnected = false;
  const expectAnswer = (): void => {
    if (!isConnected || !audio.hasEnded()) return;
    // Audio that arrived faster than real time still has to be recognised, at most at about twice the speed of speech.
    const backlogMs = Math.max(0, audio.durationMs() - (performance.now() - startedAt));
    deadline.set('answer', answerMs + backlogMs / 2);
  };

  recogniser.sessionStarted = () => {
    preventReconnect(recogniser);
    isConnected = true;
    deadline.clear();
    expectAnswer();
  };
  recogniser.recognized = (_, { result }) => {
    const phrase = parsePhrase(result.json, { isAssessed });
    if (phrase === null) return fail('malformed', 'a phrase that the SDK passed on in another shape');
    phrases.push(phrase);
    if (mode === 'once') resolve(phrases);
  };
  recogniser.canceled = (_, { reason, errorCode, errorDetails }) => {
    if (reason === CancellationReason.Error) reject(toServiceFailure({ code: errorCode, details: errorDetails }));
    else resolve(phrases);
  };
  recogniser.sessionStopped = () => resolve(phrases);
  connection.disconnected = () => {
    // The SDK reports the reason of the service, if it gave one, just after the end of the connection.
    setImmediate(fail, 'unreachable', 'the socket was closed before everything was answered');
  };
  connection.messageReceived = ({ message }) => {
    if (!isParseable(message, isAssessed)) fail('malformed', `an unreadable ${message.path}`);
  };
  signal.addEventListener('abort', onAbort);
  deadline.set('connection', connectMs);
  void audio.whenEnded.then(() => {
    // Azure answers an empty utterance with an empty message, which makes the SDK fail silently.
    if (audio.durationMs() === 0) resolve([]);
    else expectAnswer();
  });

  const onError = (details: string): void => reject(toServiceFailure({ details }));
  if (mode === 'once') recogniser.recognizeOnceAsync(undefined, onError);
  else recogniser.startContinuousRecognitionAsync(undefined, onError);
  return promise.finally(() => {
    deadline.cancel();
    signal.removeEventListener('abort', onAbort);
  });
}

/** The SDK silently drops a message that it cannot parse and then waits forever, so each message is checked first. */
function isParseable(message: ConnectionMessage, isAssessed: boolean): boolean {
  // The SDK's type promises a path, but the value comes unchecked from the message.
  const path = (message.path as string | undefined)?.toLowerCase() ?? '';
  if (!message.isTextMessage || !path.startsWith('speech.')) return true;
  if (path === 'speech.phrase') return parsePhrase(message.TextMessage, { isAssessed }) !== null;
  try {
    JSON.parse(message.TextMessage);
    return true;
  } catch {
    return false;
  }
}

/**
 * Closes the socket without waiting for the service. The order matters: closing the connection first ends the recognition, after which
 * `close` has no turn to wait for.
 */
function closeSession({ recogniser, connection }: RecognitionSession): void {
  const ignore = (): void => undefined;
  connection.closeConnection(ignore, ignore);
  recogniser.close(ignore, ignore);
}
