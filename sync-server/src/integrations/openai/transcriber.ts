/** Writes down what was said, with a transcription model behind OpenAI's protocol. */
import { wavHeader } from '@parley/speech/wav';
import { z } from 'zod';
import type { Transcriber } from '../../speech/index.ts';
import { connectOpenAi, type OpenAiAccess } from './access.ts';
import { chargedWhole } from './charge.ts';
import { openLine } from './line.ts';
import { asSpeechFailure, malformed } from './provider-trouble.ts';
import { withRetries } from './retries.ts';
import { DEFAULT_TIMEOUTS } from './timeouts.ts';

/** OpenAI refuses a tenth of a second of 16 kHz and less, in which nobody says a word. */
const LEAST_BYTES = 3_200;
const BYTES_A_SECOND = 32_000;

/** The words come in one piece, when all of the sound has been heard. */
const FIRST_BYTE_MS = 20_000;

const Heard = z.object({ text: z.string() });

export function createOpenAiTranscriber(options: OpenAiAccess): Transcriber {
  const { model } = options;
  const client = connectOpenAi(options);
  const timeouts = { ...DEFAULT_TIMEOUTS, firstByteMs: FIRST_BYTE_MS, ...options.timeouts };

  const hear = async (wav: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<string> => {
    const line = openLine(signal, timeouts);
    const file = new File([wav], 'turn.wav', { type: 'audio/wav' });
    const body = { model, file, language: 'en', response_format: 'json' } as const;
    const heard = Heard.safeParse(await line.expect(client.audio.transcriptions.create(body, { signal: line.signal })));
    if (!heard.success) throw malformed('a transcript of another shape');
    return heard.data.text.trim();
  };

  return {
    name: model,
    transcribe: async ({ pcm, signal, heard }) => {
      signal.throwIfAborted();
      if (pcm.byteLength <= LEAST_BYTES) return '';
      const pass = { seconds: pcm.byteLength / BYTES_A_SECOND, isScored: false };
      const wav = Buffer.concat([wavHeader(pcm.byteLength), pcm]);
      try {
        return await withRetries(signal, timeouts, () => chargedWhole(hear(wav, signal), () => heard(pass)));
      } catch (error) {
        throw asSpeechFailure(error);
      }
    },
  };
}
