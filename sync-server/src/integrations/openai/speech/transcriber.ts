/** Implements transcription with a model behind OpenAI's protocol. */
import { wavHeader } from '@parley/speech/wav';
import { z } from 'zod';
import type { Transcriber } from '../../../ports/speech/index.ts';
import { createOpenAiClient, type OpenAiAccess } from '../connection/client.ts';
import { meterCall } from '../connection/usage-metering.ts';
import { openConnection } from '../connection/provider-connection.ts';
import { malformedError } from '../connection/provider-error.ts';
import { withRetries } from '../connection/retries.ts';
import { DEFAULT_TIMEOUTS } from '../connection/timeouts.ts';

/** OpenAI rejects 16 kHz audio of a tenth of a second or less, which is too short for a word anyway. */
const MIN_BYTES = 3_200;
const BYTES_PER_SECOND = 32_000;

/** The transcript arrives in one piece after all audio was processed. */
const FIRST_BYTE_MS = 20_000;

const TranscriptionResponse = z.object({ text: z.string() });

export function createOpenAiTranscriber(options: OpenAiAccess): Transcriber {
  const { model } = options;
  const client = createOpenAiClient(options);
  const timeouts = { ...DEFAULT_TIMEOUTS, firstByteMs: FIRST_BYTE_MS, ...options.timeouts };

  const requestTranscript = async (file: File, signal: AbortSignal): Promise<string> => {
    const connection = openConnection('speech', signal, timeouts);
    const body = { model, file, language: 'en', response_format: 'json' } as const;
    const heard = TranscriptionResponse.safeParse(
      await connection.receive(client.audio.transcriptions.create(body, { signal: connection.signal })),
    );
    if (!heard.success) throw malformedError('speech', 'a transcript of another shape');
    return heard.data.text.trim();
  };

  return {
    name: model,
    transcribe: async ({ pcm, signal, heard }) => {
      signal.throwIfAborted();
      const bytes = pcm.reduce((sum, piece) => sum + piece.byteLength, 0);
      if (bytes <= MIN_BYTES) return '';
      const usage = { seconds: bytes / BYTES_PER_SECOND, isScored: false };
      // The file is the only copy of the audio, and is used for all attempts. No piece is backed by shared memory.
      const pieces = [wavHeader(bytes), ...pcm] as Uint8Array<ArrayBuffer>[];
      const file = new File(pieces, 'turn.wav', { type: 'audio/wav' });
      return await withRetries(signal, timeouts, () => meterCall(requestTranscript(file, signal), () => heard(usage)));
    },
  };
}
