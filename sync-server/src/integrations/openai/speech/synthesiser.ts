/** Implements speech synthesis with a speech model behind OpenAI's protocol. */
import type { SpeechCreateParams } from 'openai/resources/audio/speech';
import type { CoachVoice } from '@parley/domain';
import type { Synthesiser } from '../../../ports/speech/index.ts';
import { createOpenAiClient, type OpenAiAccess } from '../connection/client.ts';
import { meterStream } from '../connection/usage-metering.ts';
import { openConnection } from '../connection/provider-connection.ts';
import { malformedError } from '../connection/provider-error.ts';
import { streamWithRetries } from '../connection/retries.ts';
import { DEFAULT_TIMEOUTS } from '../connection/timeouts.ts';
import { accentInstructions, openAiVoice } from './voices.ts';

/** A server that does not support raw PCM sends another format with its content type; playing it would be noise. */
const NON_PCM_CONTENT_TYPE = /^(text\/|application\/json|audio\/(mpeg|mp3|ogg|opus|aac|flac|wav|x-wav))/;

export function createOpenAiSynthesiser(options: OpenAiAccess): Synthesiser {
  const { model } = options;
  const client = createOpenAiClient(options);
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };

  async function* requestSpeech(body: SpeechCreateParams, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const connection = openConnection('speech', signal, timeouts);
    const answer = await connection.receive(client.audio.speech.create(body, { signal: connection.signal }));
    if (answer.body === null || NON_PCM_CONTENT_TYPE.test(answer.headers.get('content-type') ?? '')) {
      await answer.body?.cancel();
      throw malformedError('speech', 'no PCM');
    }
    let hasAudio = false;
    for await (const samples of alignToSamples(connection.receiveAll<Uint8Array>(answer.body))) {
      hasAudio = true;
      yield samples;
    }
    if (!hasAudio) throw malformedError('speech', 'no sound');
  }

  return {
    name: model,
    speak: async function* speak({ text, voice, signal, spoken }) {
      signal.throwIfAborted();
      const body = requestBody(model, text, voice);
      yield* streamWithRetries(signal, timeouts, () => meterStream(requestSpeech(body, signal), spoken));
    },
  };
}

function requestBody(model: string, input: string, voice: CoachVoice): SpeechCreateParams {
  // The first models do not accept instructions.
  const accent = model.startsWith('tts-1') ? null : accentInstructions(voice);
  return {
    model,
    input,
    voice: openAiVoice(voice),
    speed: voice.rate,
    response_format: 'pcm',
    ...(accent === null ? {} : { instructions: accent }),
  };
}

/** The network splits chunks anywhere, but a player needs both bytes of a sample. */
async function* alignToSamples(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let remainder = new Uint8Array(0);
  for await (const chunk of chunks) {
    const joined = remainder.byteLength === 0 ? chunk : Buffer.concat([remainder, chunk]);
    const end = joined.byteLength - (joined.byteLength % 2);
    remainder = joined.slice(end);
    if (end > 0) yield joined.subarray(0, end);
  }
}
