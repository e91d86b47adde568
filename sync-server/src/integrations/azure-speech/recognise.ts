/** One pass of an utterance through Azure's recogniser: the sound goes up as it is spoken, phrases come back, the socket is closed. */
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
import { type HeardPassed, SpeechFailure } from '../../speech/index.ts';
import { type AzureSpeechAccess, recognitionConfig, timeoutsOf } from './access.ts';
import { createDeadline } from './deadline.ts';
import { failureOf } from './failure-of.ts';
import { BYTES_A_MS, type KeptAudio } from './kept-audio.ts';
import { forbidSecondSocket } from './one-socket.ts';
import { type Phrase, readPhrase } from './phrase.ts';

/** Single-shot recognition ends with the first phrase, continuous recognition with the sound. */
export type RecognitionMode = 'once' | 'continuous';

export interface Pass {
  access: AzureSpeechAccess;
  audio: KeptAudio;
  mode: RecognitionMode;
  /** Null to write down only. */
  assess: PronunciationAssessmentConfig | null;
  signal: AbortSignal;
  heard: HeardPassed;
}

interface Line {
  recogniser: SpeechRecognizer;
  connection: Connection;
}

/** The phrases that were heard, unmatched ones included. Throws a `SpeechFailure`, or the signal's reason. */
export async function recognise(pass: Pass): Promise<Phrase[]> {
  pass.signal.throwIfAborted();
  const config = recognitionConfig(pass.access);
  config.outputFormat = pass.assess === null ? OutputFormat.Simple : OutputFormat.Detailed;
  const sound = AudioInputStream.createPushStream();
  const recogniser = new SpeechRecognizer(config, AudioConfig.fromStreamInput(sound));
  pass.assess?.applyTo(recogniser);
  const line = { recogniser, connection: Connection.fromRecognizer(recogniser) };
  let isConnected = false;
  line.connection.connected = () => {
    isConnected = true;
  };
  let fedBytes = 0;
  const stopFeeding = pass.audio.feed({
    write: (pcm) => {
      fedBytes += pcm.byteLength;
      sound.write(pcm.buffer);
    },
    end: () => sound.close(),
  });
  try {
    return await listen(pass, line);
  } finally {
    stopFeeding();
    sound.close();
    hangUp(line);
    const seconds = fedBytes / BYTES_A_MS / 1_000;
    if (isConnected && seconds > 0) await pass.heard({ seconds, isScored: pass.assess !== null });
  }
}

function listen(pass: Pass, { recogniser, connection }: Line): Promise<Phrase[]> {
  const { access, audio, mode, signal } = pass;
  const isAssessed = pass.assess !== null;
  const { connectMs, answerMs } = timeoutsOf(access);
  const startedAt = performance.now();
  const phrases: Phrase[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Phrase[]>();
  const fail = (reason: SpeechFailure['reason'], why: string): void =>
    reject(new SpeechFailure(reason, { cause: new Error(why) }));
  const deadline = createDeadline((what) => fail('unreachable', `no ${what} in time`));
  const onAbort = (): void => reject(signal.reason);
  let isConnected = false;
  const expectAnswer = (): void => {
    if (!isConnected || !audio.hasEnded()) return;
    // Sound that came faster than it was spoken has yet to be heard, and Azure hears no faster than about twice the speed of speech.
    const backlogMs = Math.max(0, audio.durationMs() - (performance.now() - startedAt));
    deadline.set('answer', answerMs + backlogMs / 2);
  };

  recogniser.sessionStarted = () => {
    forbidSecondSocket(recogniser);
    isConnected = true;
    deadline.clear();
    expectAnswer();
  };
  recogniser.recognized = (_, { result }) => {
    const phrase = readPhrase(result.json, { isAssessed });
    if (phrase === null) return fail('malformed', 'a phrase that the SDK passed on in another shape');
    phrases.push(phrase);
    if (mode === 'once') resolve(phrases);
  };
  recogniser.canceled = (_, { reason, errorCode, errorDetails }) => {
    if (reason === CancellationReason.Error) reject(failureOf({ code: errorCode, details: errorDetails }));
    else resolve(phrases);
  };
  recogniser.sessionStopped = () => resolve(phrases);
  connection.disconnected = () => fail('unreachable', 'the socket was closed before everything was answered');
  connection.messageReceived = ({ message }) => {
    if (!isReadable(message, isAssessed)) fail('malformed', `an unreadable ${message.path}`);
  };
  signal.addEventListener('abort', onAbort);
  deadline.set('connection', connectMs);
  void audio.whenEnded.then(() => {
    // Azure answers an empty utterance with an empty message, at which the SDK stumbles and falls silent.
    if (audio.durationMs() === 0) resolve([]);
    else expectAnswer();
  });

  const onError = (details: string): void => reject(failureOf({ details }));
  if (mode === 'once') recogniser.recognizeOnceAsync(undefined, onError);
  else recogniser.startContinuousRecognitionAsync(undefined, onError);
  return promise.finally(() => {
    deadline.lift();
    signal.removeEventListener('abort', onAbort);
  });
}

/** The SDK drops what it cannot read without a word, and then waits for ever: so it is looked at before. */
function isReadable(message: ConnectionMessage, isAssessed: boolean): boolean {
  // The SDK promises a path, but it only takes it from what came.
  const path = (message.path as string | undefined)?.toLowerCase() ?? '';
  if (!message.isTextMessage || !path.startsWith('speech.')) return true;
  if (path === 'speech.phrase') return readPhrase(message.TextMessage, { isAssessed }) !== null;
  try {
    JSON.parse(message.TextMessage);
    return true;
  } catch {
    return false;
  }
}

/**
 * Closes the socket without waiting for the service. The order matters: disconnecting ends the recognition at once, after which there is no
 * turn that closing would wait for.
 */
function hangUp({ recogniser, connection }: Line): void {
  const ignore = (): void => undefined;
  connection.closeConnection(ignore, ignore);
  recogniser.close(ignore, ignore);
}
