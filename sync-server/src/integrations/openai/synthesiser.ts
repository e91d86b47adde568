/** Speaks a coach's lines, with a speech model behind OpenAI's protocol. */
import type { SpeechCreateParams } from 'openai/resources/audio/speech';
import type { CoachVoice } from '@parley/domain';
import type { Synthesiser } from '../../speech/index.ts';
import { connectOpenAi, type OpenAiAccess } from './access.ts';
import { chargedPieces } from './charge.ts';
import { openLine } from './line.ts';
import { asSpeechFailure, malformed } from './provider-trouble.ts';
import { streamWithRetries } from './retries.ts';
import { DEFAULT_TIMEOUTS } from './timeouts.ts';
import { accentOf, openAiVoice } from './voices.ts';

/** A server that knows no bare PCM sends another format under its own name, and it would be heard as noise. */
const OTHER_THAN_PCM = /^(text\/|application\/json|audio\/(mpeg|mp3|ogg|opus|aac|flac|wav|x-wav))/;

export function createOpenAiSynthesiser(options: OpenAiAccess): Synthesiser {
  const { model } = options;
  const client = connectOpenAi(options);
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };

  async function* ask(body: SpeechCreateParams, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const line = openLine(signal, timeouts);
    const answer = await line.expect(client.audio.speech.create(body, { signal: line.signal }));
    if (answer.body === null || OTHER_THAN_PCM.test(answer.headers.get('content-type') ?? '')) {
      await answer.body?.cancel();
      throw malformed('no PCM');
    }
    let hasSound = false;
    for await (const samples of wholeSamples(line.follow<Uint8Array>(answer.body))) {
      hasSound = true;
      yield samples;
    }
    if (!hasSound) throw malformed('no sound');
  }

  return {
    name: model,
    speak: async function* speak({ text, voice, signal, spoken }) {
      signal.throwIfAborted();
      try {
        const body = bodyOf(model, text, voice);
        yield* streamWithRetries(signal, timeouts, () => chargedPieces(ask(body, signal), spoken));
      } catch (error) {
        throw asSpeechFailure(error);
      }
    },
  };
}

function bodyOf(model: string, input: string, voice: CoachVoice): SpeechCreateParams {
  // The first models cannot be told how to speak.
  const accent = model.startsWith('tts-1') ? null : accentOf(voice);
  return {
    model,
    input,
    voice: openAiVoice(voice),
    speed: voice.rate,
    response_format: 'pcm',
    ...(accent === null ? {} : { instructions: accent }),
  };
}

/** A network cuts where it likes; a player wants both bytes of a sample. */
async function* wholeSamples(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let half = new Uint8Array(0);
  for await (const piece of pieces) {
    const joined = half.byteLength === 0 ? piece : Buffer.concat([half, piece]);
    const end = joined.byteLength - (joined.byteLength % 2);
    half = joined.slice(end);
    if (end > 0) yield joined.subarray(0, end);
  }
}
