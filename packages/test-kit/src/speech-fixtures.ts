/** Speech for tests: a real learner's recording when the corpus is available, otherwise a synthesised voice. */
import { wavHeader } from '@parley/speech/wav';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT_DIR = fileURLToPath(new URL('../../..', import.meta.url));

/** The folder of the speechocean762 corpus: `PARLEY_CORPUS_DIR`, or next to the checkout. Null when it is missing. */
export function corpusDir(): string | null {
  const candidates = [process.env['PARLEY_CORPUS_DIR'], resolve(ROOT_DIR, '../shared/data/speechocean762')];
  return candidates.find((dir) => dir !== undefined && existsSync(join(dir, 'utterances.jsonl'))) ?? null;
}

export const hasProgram = (name: string): boolean =>
  spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;

export interface LearnerRecording {
  text: string;
  /** A 16 kHz mono WAV. */
  wav: Buffer;
}

const WAV_HEADER_BYTES = 44;
const SAMPLE_RATE_HZ = 16_000;

/**
 * A recording of a learner from the validation set, which the scorer was not trained on. Null without the corpus or the `opusdec` program.
 */
export function heldOutRecording(options: { words: number; skip?: number }): LearnerRecording | null {
  const dir = corpusDir();
  if (dir === null || !hasProgram('opusdec')) return null;
  const utterances = readFileSync(join(dir, 'utterances.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { audio: string; text: string; split: string; total: number })
    .filter((line) => line.split === 'validation' && line.total >= 8 && line.text.split(' ').length === options.words);
  const chosen = utterances[options.skip ?? 0];
  if (chosen === undefined) return null;
  const pcm = execFileSync('opusdec', ['--quiet', '--rate', String(SAMPLE_RATE_HZ), join(dir, chosen.audio), '-'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const samples = pcm.subarray(pcm.subarray(0, 4).toString('latin1') === 'RIFF' ? WAV_HEADER_BYTES : 0);
  return { text: chosen.text.toLowerCase(), wav: toWav(samples, SAMPLE_RATE_HZ) };
}

/** Synthesises `text` with espeak-ng as a WAV in its own sample rate. Null without the program. */
export function synthesise(text: string, { voice = 'en-us' } = {}): Buffer | null {
  if (!hasProgram('espeak-ng')) return null;
  const wav = execFileSync('espeak-ng', ['-v', voice, '-s', '140', '--stdout', text], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const samples = wav.subarray(WAV_HEADER_BYTES);
  return toWav(samples, wav.readUInt32LE(24));
}

/** Pads 16-bit mono samples with silence. */
export function padWav(wav: Buffer, pad: { beforeMs: number; afterMs: number }): Buffer {
  const rateHz = wav.readUInt32LE(24);
  const silence = (ms: number): Buffer => Buffer.alloc(Math.round((ms * rateHz) / 1000) * 2);
  return toWav(Buffer.concat([silence(pad.beforeMs), wav.subarray(WAV_HEADER_BYTES), silence(pad.afterMs)]), rateHz);
}

export const toWav = (samples: Buffer, rateHz: number): Buffer =>
  Buffer.concat([wavHeader(samples.length, rateHz), samples]);

/** The samples of a 16-bit mono WAV, in -1..1. */
export function samplesOf(wav: Buffer): Float32Array {
  const count = Math.floor((wav.length - WAV_HEADER_BYTES) / 2);
  return Float32Array.from({ length: count }, (_, index) => wav.readInt16LE(WAV_HEADER_BYTES + index * 2) / 32_768);
}
