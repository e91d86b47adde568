/** Implements speech synthesis with Azure's voices. Audio is streamed in chunks as it is synthesised. */
import { ServiceFailure, type ServiceFailureReason } from '@parley/domain';
import {
  Connection,
  ResultReason,
  SpeechSynthesisOutputFormat,
  SpeechSynthesizer,
} from 'microsoft-cognitiveservices-speech-sdk';
import type { Synthesiser } from '../../../ports/speech/index.ts';
import { type AzureSpeechAccess, synthesisConfig, resolveTimeouts } from '../connection/speech-config.ts';
import { createDeadline } from '../connection/deadline.ts';
import { toServiceFailure } from '../connection/to-service-failure.ts';
import { preventReconnect } from '../connection/prevent-reconnect.ts';
import { createAsyncQueue } from './async-queue.ts';
import { toSsml } from './ssml.ts';
import { retryOnce } from '../connection/retry-once.ts';

export function createAzureSynthesiser(access: AzureSpeechAccess): Synthesiser {
  return {
    name: 'azure',
    async *speak({ text, voice, signal, spoken }) {
      signal.throwIfAborted();
      const ssml = toSsml(text, voice);
      // A retry is possible only before the first chunk; otherwise the learner would hear half of the utterance twice.
      const { first, rest, close } = await retryOnce(() => awaitFirstChunk({ access, ssml, signal, spoken }), {
        pauseMs: resolveTimeouts(access).retryPauseMs,
        signal,
      });
      try {
        for (let chunk = first; chunk.done !== true; chunk = await rest.next()) {
          signal.throwIfAborted();
          yield chunk.value;
        }
      } finally {
        close();
        await spoken();
      }
    },
  };
}

interface SynthesisStream {
  first: IteratorResult<Uint8Array>;
  rest: AsyncIterator<Uint8Array>;
  close: () => void;
}

interface SynthesisRequest {
  access: AzureSpeechAccess;
  ssml: string;
  signal: AbortSignal;
  spoken: () => Promise<void>;
}

async function awaitFirstChunk(options: SynthesisRequest): Promise<SynthesisStream> {
  const { chunks, close, wasConnected } = startSynthesis(options);
  const rest = chunks[Symbol.asyncIterator]();
  try {
    return { first: await rest.next(), rest, close };
  } catch (error) {
    close();
    if (wasConnected()) await options.spoken();
    throw error;
  }
}

function startSynthesis({ access, ssml, signal }: SynthesisRequest): {
  chunks: AsyncIterable<Uint8Array>;
  close: () => void;
  /** Tells whether the SSML was sent over an open connection and therefore charged. */
  wasConnected: () => boolean;
} {
  const { connectMs, answerMs } = resolveTimeouts(access);
  const config = synthesisConfig(access);
  config.speechSynthesisOutputFormat = SpeechSynthesisOutputFormat.Raw24Khz16BitMonoPcm;
  // Without an explicit destination the SDK would look for a loudspeaker.
  const synthesizer = new SpeechSynthesizer(config, null);
  const connection = Connection.fromSynthesizer(synthesizer);
  const chunks = createAsyncQueue<Uint8Array>();
  const deadline = createDeadline((what) => failWith('unreachable', `no ${what} in time`));
  const failWith = (reason: ServiceFailureReason, explanation: string): void =>
    chunks.fail(new ServiceFailure('speech', reason, { cause: new Error(explanation) }));
  const onAbort = (): void => chunks.fail(signal.reason);
  let isConnected = false;
  const close = (): void => {
    deadline.cancel();
    signal.removeEventListener('abort', onAbort);
    chunks.end();
    synthesizer.close(ignore, ignore);
  };

  connection.connected = () => {
    isConnected = true;
    preventReconnect(synthesizer);
    deadline.set('sound', answerMs);
  };
  connection.disconnected = () => failWith('unreachable', 'the socket was closed in the middle of a line');
  connection.messageReceived = ({ message }) => {
    if (message.isTextMessage && !isJson(message.TextMessage)) failWith('malformed', `an unreadable ${message.path}`);
  };
  synthesizer.synthesizing = (_, { result }) => {
    deadline.set('more sound', answerMs);
    chunks.push(new Uint8Array(result.audioData));
  };
  signal.addEventListener('abort', onAbort);
  deadline.set('connection', connectMs);
  synthesizer.speakSsmlAsync(
    ssml,
    ({ reason, errorDetails }) => {
      deadline.cancel();
      if (reason === ResultReason.Canceled) chunks.fail(toServiceFailure({ details: errorDetails }));
      else chunks.end();
    },
    (details) => chunks.fail(toServiceFailure({ details })),
  );
  return { chunks: chunks.items, close, wasConnected: () => isConnected };
}

const ignore = (): void => undefined;

/** A message that is not JSON stops the SDK silently. A message may be empty, as `turn.end` is. */
function isJson(text: string): boolean {
  if (text === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
