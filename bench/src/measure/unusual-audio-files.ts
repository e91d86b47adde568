/** Runs unusual audio files through the command-line scorer, which must score each or reject it with a reason. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { heldOutRecording, samplesOf, synthesise, toWav } from '@parley/test-kit';

const CLI = fileURLToPath(new URL('../../../packages/speech/src/cli/main.ts', import.meta.url));
const RATE_HZ = 16_000;

interface ScoredLine {
  id: string;
  accuracy?: number | null;
  durationMs?: number;
  unusable?: { reason: string; hint: string };
  error?: { code: string; message: string };
}

interface UnusualFile {
  id: string;
  text: string;
  content: Buffer;
  isExpected: (line: ScoredLine) => boolean;
}

const toPcm16 = (samples: Float32Array): Buffer => {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) =>
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), index * 2),
  );
  return bytes;
};

/** Generates reproducible white noise. */
function noise(seconds: number, level: number): Float32Array {
  let state = 12_345;
  return Float32Array.from({ length: seconds * RATE_HZ }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 1_073_741_824 - 1) * level;
  });
}

/** Converts 16 kHz mono to 44.1 kHz stereo. Linear interpolation is enough to test the conversion back. */
function toCdQuality(samples: Float32Array): Buffer {
  const frames = Math.floor((samples.length * 44_100) / RATE_HZ);
  const bytes = Buffer.alloc(frames * 4);
  for (let frame = 0; frame < frames; frame += 1) {
    const at = (frame * RATE_HZ) / 44_100;
    const low = samples[Math.floor(at)] ?? 0;
    const high = samples[Math.floor(at) + 1] ?? low;
    const value = Math.round((low + (high - low) * (at % 1)) * 32_767);
    bytes.writeInt16LE(value, frame * 4);
    bytes.writeInt16LE(value, frame * 4 + 2);
  }
  const wav = toWav(bytes, 44_100);
  wav.writeUInt16LE(2, 22);
  wav.writeUInt32LE(44_100 * 4, 28);
  wav.writeUInt16LE(4, 32);
  return wav;
}

const isScored = ({ accuracy, unusable, error }: ScoredLine): boolean =>
  typeof accuracy === 'number' && unusable === undefined && error === undefined;
const isRejectedWith =
  (...reasons: string[]) =>
  (line: ScoredLine): boolean =>
    line.accuracy === null && reasons.includes(line.unusable?.reason ?? '') && (line.unusable?.hint.length ?? 0) > 0;

function makeUnusualFiles(): UnusualFile[] {
  const spokenText = 'I finished the report for the client yesterday';
  const learner = heldOutRecording({ words: 7 });
  const synthetic = learner === null ? synthesise(spokenText) : null;
  if (learner === null && synthetic === null) throw new Error('needs the corpus, or espeak-ng (Debian: espeak-ng)');
  const wav = learner?.wav ?? synthetic ?? Buffer.alloc(0);
  const text = learner?.text ?? spokenText;
  const samples = learner === null ? resample(wav) : samplesOf(wav);
  const plain = toWav(toPcm16(samples), RATE_HZ);
  const minute = new Float32Array(60 * RATE_HZ);
  const pause = RATE_HZ / 2;
  const repetitions = Math.floor(minute.length / (samples.length + pause));
  for (let repeat = 0; repeat < repetitions; repeat += 1) minute.set(samples, repeat * (samples.length + pause));
  minute.set(noise(60, 0.0005).map((value, index) => value + (minute[index] ?? 0)));
  return [
    { id: 'plain', text, content: plain, isExpected: isScored },
    { id: 'silence', text, content: toWav(toPcm16(noise(3, 0.0001)), RATE_HZ), isExpected: isRejectedWith('silent') },
    {
      id: 'noise',
      text,
      content: toWav(toPcm16(noise(3, 0.3)), RATE_HZ),
      isExpected: isRejectedWith('noisy', 'not_the_text', 'silent'),
    },
    {
      id: 'wrong-text',
      text: 'Would you be so kind as to forward me the quarterly marketing budget',
      content: plain,
      isExpected: isRejectedWith('not_the_text', 'too_short'),
    },
    {
      id: 'minute',
      text: Array.from({ length: repetitions }, () => text).join('. '),
      content: toWav(toPcm16(minute), RATE_HZ),
      isExpected: (line) => isScored(line) && line.durationMs === 60_000,
    },
    { id: 'stereo', text, content: toCdQuality(samples), isExpected: isScored },
    {
      id: 'cut',
      text,
      content: plain.subarray(0, Math.floor(plain.length * 0.95)),
      isExpected: (line) => isScored(line) || line.unusable !== undefined,
    },
    { id: 'empty', text, content: Buffer.alloc(0), isExpected: ({ error }) => error?.code === 'audio.empty' },
  ];
}

/** Resamples a synthetic voice roughly, by picking the nearest earlier sample. */
function resample(wav: Buffer): Float32Array {
  const rate = wav.readUInt32LE(24);
  const samples = samplesOf(wav);
  return Float32Array.from(
    { length: Math.floor((samples.length * RATE_HZ) / rate) },
    (_, index) => samples[Math.floor((index * rate) / RATE_HZ)] ?? 0,
  );
}

export async function scoreUnusualFiles(): Promise<{ sane: number; total: number; strange: string[] }> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-odd-'));
  try {
    const files = makeUnusualFiles();
    await Promise.all(files.map(({ id, content }) => writeFile(join(dir, `${id}.wav`), content)));
    const manifest = files.map(({ id, text }) => JSON.stringify({ id, audio: `${id}.wav`, text })).join('\n');
    await writeFile(join(dir, 'manifest.jsonl'), manifest);
    const lines = (await runCli(['--manifest', join(dir, 'manifest.jsonl')])).map(
      (line) => JSON.parse(line) as ScoredLine,
    );
    const strange = files.filter(({ id, isExpected }, index) => {
      const line = lines[index];
      return line === undefined || line.id !== id || !isExpected(line);
    });
    return { sane: files.length - strange.length, total: files.length, strange: strange.map(({ id }) => id) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The empty file fails by design, so the exit status is 1. */
function runCli(args: string[]): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) =>
      resolve(stdout.split('\n').filter((line) => line !== '')),
    );
  });
}
