/** The audio endpoints: checks that it receives audio, and answers speech with a hum of a plausible length. */
import type { SpeechCreateParams } from 'openai/resources/audio/speech';
import type { Transcription } from 'openai/resources/audio/transcriptions';
import { z } from 'zod';
import { countTokens } from './model-answer.ts';
import type { Frames } from './play.ts';

export const TranscriptionForm = z.strictObject({
  file: z.instanceof(Uint8Array),
  model: z.string().min(1),
  language: z.string().length(2).optional(),
  response_format: z.literal('json').optional(),
  prompt: z.string().optional(),
  temperature: z.string().optional(),
});

/** An amplitude of 16-bit samples; a quiet room is below it. */
const SPEECH_AMPLITUDE = 200;

/** Reads the samples of a WAV file as the transcriber sends it; null for anything else. */
export function readWavSamples(file: Uint8Array): Int16Array | null {
  const wav = Buffer.from(file);
  const isWav =
    wav.length > 44 && wav.toString('latin1', 0, 4) === 'RIFF' && wav.toString('latin1', 8, 16) === 'WAVEfmt ';
  if (!isWav) return null;
  const format = [wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)];
  const isWhole = wav.readUInt32LE(40) === wav.length - 44;
  if (!isWhole || format.join(' ') !== '1 1 16000 16') return null;
  return Int16Array.from({ length: Math.floor((wav.length - 44) / 2) }, (_, index) => wav.readInt16LE(44 + index * 2));
}

/** Silence has no transcript. */
export const hasSpeech = (samples: Int16Array): boolean =>
  samples.some((sample) => Math.abs(sample) > SPEECH_AMPLITUDE);

export function toTranscription(samples: Int16Array, text: string): Transcription {
  const [input, output] = [Math.ceil(samples.length / 1_600), countTokens(text)];
  return {
    text,
    usage: { type: 'tokens', input_tokens: input, output_tokens: output, total_tokens: input + output },
  };
}

export const SpeechRequest = z.strictObject({
  model: z.string().min(1),
  input: z.string(),
  voice: z.string(),
  instructions: z.string().optional(),
  response_format: z.literal('pcm'),
  speed: z.number().optional(),
} satisfies Partial<Record<keyof SpeechCreateParams, z.ZodType>>);

const SAMPLE_RATE_HZ = 24_000;
const MS_PER_CHARACTER = 60;
const FADE_SAMPLES = 600;
const AMPLITUDE = 3_000;
/** A tenth of a second plus one byte, because networks split between any bytes. */
const PIECE_BYTES = 4_801;

export function toneFrames({ input, speed = 1 }: z.infer<typeof SpeechRequest>): Frames {
  return { contentType: 'audio/pcm', frames: splitIntoChunks(generateTone((input.length * MS_PER_CHARACTER) / speed)) };
}

function generateTone(lengthMs: number): Buffer {
  const count = Math.round((lengthMs / 1_000) * SAMPLE_RATE_HZ);
  const tone = Buffer.alloc(count * 2);
  for (let at = 0; at < count; at += 1) {
    const fade = Math.min(1, at / FADE_SAMPLES, (count - at) / FADE_SAMPLES);
    tone.writeInt16LE(Math.round(Math.sin((2 * Math.PI * 220 * at) / SAMPLE_RATE_HZ) * AMPLITUDE * fade), at * 2);
  }
  return tone;
}

function* splitIntoChunks(sound: Buffer): Generator<Buffer> {
  for (let at = 0; at < sound.length; at += PIECE_BYTES) yield sound.subarray(at, at + PIECE_BYTES);
}
