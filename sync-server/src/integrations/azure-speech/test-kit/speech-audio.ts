/** Speech for tests: a synthesised voice when espeak-ng is installed, otherwise a hum with a syllable rhythm. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BYTES_PER_MS } from '../recognition/replayable-audio.ts';

const RATE_HZ = 16_000;
const WAV_HEADER_BYTES = 44;
const MS_PER_CHARACTER = 60;

/** 16-bit little-endian mono at 16 kHz. */
export async function synthesiseSpeech(text: string): Promise<Uint8Array> {
  try {
    const run = promisify(execFile);
    const { stdout } = await run('espeak-ng', ['--stdout', '-v', 'en-us', text], {
      encoding: 'buffer',
      maxBuffer: 2 ** 26,
    });
    return resample(stdout.subarray(WAV_HEADER_BYTES), stdout.readUInt32LE(24));
  } catch {
    return syllables(text.length * MS_PER_CHARACTER);
  }
}

/** Repeats the voice until it lasts this long. */
export function repeatToLength(voice: Uint8Array, ms: number): Uint8Array {
  const long = new Uint8Array(ms * BYTES_PER_MS);
  for (let at = 0; at < long.length; at += voice.length) long.set(voice.subarray(0, long.length - at), at);
  return long;
}

export const silence = (ms: number): Uint8Array => new Uint8Array(ms * BYTES_PER_MS);

export function concatAudio(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function resample(wav: Buffer, fromHz: number): Uint8Array {
  const length = Math.floor(((wav.length / 2 - 1) * RATE_HZ) / fromHz);
  const pcm = Buffer.alloc(length * 2);
  for (let n = 0; n < length; n += 1) {
    const at = (n * fromHz) / RATE_HZ;
    const before = wav.readInt16LE(Math.floor(at) * 2);
    const after = wav.readInt16LE(Math.min(Math.floor(at) + 1, wav.length / 2 - 1) * 2);
    pcm.writeInt16LE(Math.round(before + (after - before) * (at % 1)), n * 2);
  }
  return new Uint8Array(pcm);
}

function syllables(ms: number): Uint8Array {
  const pcm = Buffer.alloc(ms * BYTES_PER_MS);
  for (let n = 0; n < pcm.length / 2; n += 1) {
    const loudness = Math.abs(Math.sin((Math.PI * 4 * n) / RATE_HZ));
    pcm.writeInt16LE(Math.round(9_000 * loudness * Math.sin((2 * Math.PI * 140 * n) / RATE_HZ)), n * 2);
  }
  return new Uint8Array(pcm);
}
