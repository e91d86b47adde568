/** What rooms, microphones and lines do to a recording. 16 kHz mono samples in, the same out. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encodeWav } from '../wav/encode-wav.ts';
import { parseWav } from '../wav/parse-wav.ts';

const RATE_HZ = 16_000;
const run = promisify(execFile);

export type Disturb = (pcm: Float32Array) => Float32Array | Promise<Float32Array>;

export const gain =
  (db: number): Disturb =>
  (pcm) =>
    pcm.map((sample) => sample * 10 ** (db / 20));

const powerOf = (pcm: Float32Array): number => pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length;

/** Reproducible noise of a room: white, a little darker than it. */
export function roomNoise(length: number): Float32Array {
  let state = 20_261_118;
  let before = 0;
  return Float32Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    before = 0.6 * before + (state / 1_073_741_824 - 1);
    return before;
  });
}

/** Adds noise at this ratio of the whole recording's power to the noise's, in decibels. */
export const noisy =
  (snrDb: number): Disturb =>
  (pcm) => {
    const noise = roomNoise(pcm.length);
    const level = Math.sqrt(powerOf(pcm) / powerOf(noise) / 10 ** (snrDb / 10));
    return pcm.map((sample, index) => sample + level * (noise[index] ?? 0));
  };

export const padded =
  (ms: number): Disturb =>
  (pcm) => {
    const longer = new Float32Array(pcm.length + (2 * ms * RATE_HZ) / 1000);
    longer.set(pcm, (ms * RATE_HZ) / 1000);
    return longer;
  };

/** 300 to 3,400 Hz, in two stages of second-order Butterworth filters (Bristow-Johnson, "Audio EQ Cookbook"). */
export const telephone: Disturb = (pcm) =>
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

/** Through Opus and back, with opus-tools. */
export const opus =
  (kilobits: number): Disturb =>
  async (pcm) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-opus-'));
    const [wav, packed, back] = ['in.wav', 'packed.opus', 'out.wav'].map((name) => join(folder, name));
    if (wav === undefined || packed === undefined || back === undefined) throw new Error('no names');
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

/** Everything faster, higher with it: as a tape played too fast. */
export const faster =
  (factor: number): Disturb =>
  (pcm) =>
    Float32Array.from({ length: Math.floor(pcm.length / factor) }, (_, index) => pcm[Math.floor(index * factor)] ?? 0);

/** Far too loud for the converter. */
export const clipped =
  (db: number): Disturb =>
  (pcm) =>
    pcm.map((sample) => Math.max(-1, Math.min(1, sample * 10 ** (db / 20))));
