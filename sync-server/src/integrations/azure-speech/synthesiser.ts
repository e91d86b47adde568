/** Azure's voices behind our port: a line becomes sound, piece by piece as it is made. */
import {
  Connection,
  ResultReason,
  SpeechSynthesisOutputFormat,
  SpeechSynthesizer,
} from 'microsoft-cognitiveservices-speech-sdk';
import { SpeechFailure, type Synthesiser } from '../../speech/index.ts';
import { type AzureSpeechAccess, synthesisConfig, timeoutsOf } from './access.ts';
import { createDeadline } from './deadline.ts';
import { failureOf } from './failure-of.ts';
import { forbidSecondSocket } from './one-socket.ts';
import { createPieces } from './pieces.ts';
import { ssmlOf } from './ssml.ts';
import { tryTwice } from './try-twice.ts';

export function createAzureSynthesiser(access: AzureSpeechAccess): Synthesiser {
  return {
    name: 'azure',
    async *speak({ text, voice, signal, spoken }) {
      signal.throwIfAborted();
      const ssml = ssmlOf(text, voice);
      // Tried again only before the first piece: half a line cannot be said twice.
      const { first, rest, hangUp } = await tryTwice(() => begin({ access, ssml, signal, spoken }), {
        pauseMs: timeoutsOf(access).retryPauseMs,
        signal,
      });
      try {
        for (let piece = first; piece.done !== true; piece = await rest.next()) {
          signal.throwIfAborted();
          yield piece.value;
        }
      } finally {
        hangUp();
        await spoken();
      }
    },
  };
}

interface Speech {
  first: IteratorResult<Uint8Array>;
  rest: AsyncIterator<Uint8Array>;
  hangUp: () => void;
}

interface SpeechWish {
  access: AzureSpeechAccess;
  ssml: string;
  signal: AbortSignal;
  spoken: () => Promise<void>;
}

async function begin(wish: SpeechWish): Promise<Speech> {
  const { pieces, hangUp, wasSent } = request(wish);
  const rest = pieces[Symbol.asyncIterator]();
  try {
    return { first: await rest.next(), rest, hangUp };
  } catch (error) {
    hangUp();
    if (wasSent()) await wish.spoken();
    throw error;
  }
}

function request({ access, ssml, signal }: SpeechWish): {
  pieces: AsyncIterable<Uint8Array>;
  hangUp: () => void;
  /** There was a connection over which the line went up. */
  wasSent: () => boolean;
} {
  const { connectMs, answerMs } = timeoutsOf(access);
  const config = synthesisConfig(access);
  config.speechSynthesisOutputFormat = SpeechSynthesisOutputFormat.Raw24Khz16BitMonoPcm;
  // Without a destination of its own the SDK would look for a loudspeaker.
  const synthesizer = new SpeechSynthesizer(config, null);
  const connection = Connection.fromSynthesizer(synthesizer);
  const pieces = createPieces<Uint8Array>();
  const deadline = createDeadline((what) => failWith('unreachable', `no ${what} in time`));
  const failWith = (reason: SpeechFailure['reason'], why: string): void =>
    pieces.fail(new SpeechFailure(reason, { cause: new Error(why) }));
  const onAbort = (): void => pieces.fail(signal.reason);
  let isConnected = false;
  const hangUp = (): void => {
    deadline.lift();
    signal.removeEventListener('abort', onAbort);
    pieces.end();
    synthesizer.close(ignore, ignore);
  };

  connection.connected = () => {
    isConnected = true;
    forbidSecondSocket(synthesizer);
    deadline.set('sound', answerMs);
  };
  connection.disconnected = () => failWith('unreachable', 'the socket was closed in the middle of a line');
  connection.messageReceived = ({ message }) => {
    if (message.isTextMessage && !isJson(message.TextMessage)) failWith('malformed', `an unreadable ${message.path}`);
  };
  synthesizer.synthesizing = (_, { result }) => {
    deadline.set('more sound', answerMs);
    pieces.push(new Uint8Array(result.audioData));
  };
  signal.addEventListener('abort', onAbort);
  deadline.set('connection', connectMs);
  synthesizer.speakSsmlAsync(
    ssml,
    ({ reason, errorDetails }) => {
      deadline.lift();
      if (reason === ResultReason.Canceled) pieces.fail(failureOf({ details: errorDetails }));
      else pieces.end();
    },
    (details) => pieces.fail(failureOf({ details })),
  );
  return { pieces: pieces.taken, hangUp, wasSent: () => isConnected };
}

const ignore = (): void => undefined;

/** An unreadable message stops the SDK without a word. A message may be empty, as the end of a turn is. */
function isJson(text: string): boolean {
  if (text === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
