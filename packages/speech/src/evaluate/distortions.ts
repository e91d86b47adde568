/** Simulates the effects of rooms, microphones and telephone lines on a recording, for 16 kHz mono samples. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encodeWav } from '../wav/encode-wav.ts';
import { parseWav } from '../wav/parse-wav.ts';

const RATE_HZ = 16_000;
const run = promisify(execFile);

export type Distortion = (pcm: Float32Array) => Float32Array | Promise<Float32Array>;

export const gain =
  (db: number): Distortion =>
  (pcm) =>
    pcm.map((sample) => sample * 10 ** (db / 20));

const powerOf = (pcm: Float32Array): number => pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length;

/** Reproducible room noise, slightly low-passed white noise, of `length` samples. */
export function createRoomNoise(length: number): Float32Array {
  let state = 20_261_118;
  let previous = 0;
  return Float32Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    previous = 0.6 * previous + (state / 1_073_741_824 - 1);
    return previous;
  });
}

/** Adds noise at the given signal-to-noise ratio in decibels, measured over the whole recording. */
export const noisy =
  (snrDb: number): Distortion =>
  (pcm) => {
    const noise = createRoomNoise(pcm.length);
    const level = Math.sqrt(powerOf(pcm) / powerOf(noise) / 10 ** (snrDb / 10));
    return pcm.map((sample, index) => sample + level * (noise[index] ?? 0));
  };

export const padded =
  (ms: number): Distortion =>
  (pcm) => {
    const longer = new Float32Array(pcm.length + (2 * ms * RATE_HZ) / 1000);
    longer.set(pcm, (ms * RATE_HZ) / 1000);
    return longer;
  };

/** 300 to 3,400 Hz, with two stages of second-order Butterworth filters (Bristow-Johnson, "Audio EQ Cookbook"). */
export const telephone: Distortion = (pcm) =>
  [0, 1].reduce((sound) => biquad(biquad(sound, { type: 'high', hz: 300 }), { type: 'low', hz: 3_400 }), pcm);

function biquad(pcm: Float32Array, { type, hz }: { type: 'low' | 'high'; hz: number }): Float32Array {
  const w = (2 * Math.PI * hz) / RATE_HZ;
  const alpha = Math.sin(w) / Math.SQRT2;
  const cos = Math.cos(w);
  const side = type === 'low' ? (1 - cos) / 2 : (1 + cos) / 2;
  const middle = type === 'low' ? 1 - cos : -(1 + cos);
  const a0 = 1 + alpha;
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return pcm.map((x) => {
    const y = (side * x + middle * x1 + side * x2 + 2 * cos * y1 - (1 - alpha) * y2) / a0;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    return y;
  });
}

/** Encodes to Opus and decodes again with opus-tools. */
export const opus =
  (kilobits: number): Distortion =>
  async (pcm) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-opus-'));
    const [wav, packed, back] = ['in.wav', 'packed.opus', 'out.wav'].map((name) => join(folder, name));
    if (wav === undefined || packed === undefined || back === undefined)
      throw new Error('the temporary file names are missing');
    try {
      await writeFile(wav, encodeWav(pcm));
      await run('opusenc', ['--quiet', '--bitrate', String(kilobits), wav, packed]);
      await run('opusdec', ['--quiet', '--rate', String(RATE_HZ), packed, back]);
      const parsed = parseWav(await readFile(back));
      if (!parsed.ok) throw new Error(parsed.error.message);
      return parsed.value.pcm;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

/** Speeds playback up, which also raises the pitch. */
export const faster =
  (factor: number): Distortion =>
  (pcm) =>
    Float32Array.from({ length: Math.floor(pcm.length / factor) }, (_, index) => pcm[Math.floor(index * factor)] ?? 0);

/** Amplifies far beyond full scale. */
export const clipped =
  (db: number): Distortion =>
  (pcm) =>
    pcm.map((sample) => Math.max(-1, Math.min(1, sample * 10 ** (db / 20))));
