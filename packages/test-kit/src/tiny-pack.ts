/** A tiny model, made by `make_tiny_pack.py`: it transcribes each loud second as "yes" and each quiet one as "no". */
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describePack } from '@parley/speech-pack';

const MODEL_FOLDER = fileURLToPath(new URL('../tiny-pack', import.meta.url));
const SAMPLE_RATE_HZ = 16_000;

/** Copies the model into a folder of its own and describes it as a pack. The caller deletes the folder. */
export async function makeTinyPack(name = 'Tiny'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-tiny-pack-'));
  await cp(MODEL_FOLDER, folder, { recursive: true });
  const described = await describePack(folder, { name, licence: 'MIT', source: null, precision: 'fp32' });
  if (!described.ok) throw new Error(described.problem);
  return folder;
}

/** One second of a tone for each loudness (0 to 1), at 16 kHz. 0.1 is loud, 0.01 is quiet. */
export function secondsOf(...loudness: number[]): Float32Array {
  const pcm = new Float32Array(loudness.length * SAMPLE_RATE_HZ);
  for (let at = 0; at < pcm.length; at += 1)
    // The mean magnitude of a sine is 2/pi of its peak.
    pcm[at] = Math.sin(at / 5) * (loudness[Math.floor(at / SAMPLE_RATE_HZ)] ?? 0) * (Math.PI / 2);
  return pcm;
}
