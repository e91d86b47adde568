/** Measures whether audio that must not be scored is rejected, on synthetic cases whose true reason is known. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Assessment, UnusableReason } from '@parley/domain';
import { createScorer, parseWav } from '@parley/speech';
import { clipped, faster, noisy, createRoomNoise } from '@parley/speech/evaluate';
import type { Recording } from './read-recordings.ts';

const run = promisify(execFile);
const RATE_HZ = 16_000;

type MakeAudio = (recording: Recording, index: number) => Float32Array | Promise<Float32Array>;

interface RefusalCase {
  name: string;
  make: MakeAudio;
  /** The reasons that are correct for this case. */
  reasons: readonly UnusableReason[];
}

const melody = (ms: number): Float32Array =>
  Float32Array.from({ length: (ms / 1000) * RATE_HZ }, (_, n) => {
    const note = [262, 330, 392, 523, 392, 330][Math.floor(n / 4_000) % 6] ?? 262;
    const fade = Math.exp(-(n % 4_000) / 2_500);
    return 0.2 * fade * [1, 2, 3, 4].reduce((sum, k) => sum + Math.sin((2 * Math.PI * note * k * n) / RATE_HZ) / k, 0);
  });

const SENTENCES: Readonly<Record<string, string>> = {
  de: 'Wir haben gestern lange über den neuen Vertrag gesprochen und keine Lösung gefunden.',
  fr: 'Nous avons beaucoup parlé du nouveau contrat hier et nous n’avons rien décidé.',
  es: 'Ayer hablamos mucho del nuevo contrato y no encontramos ninguna solución.',
  cmn: '我们昨天谈了很久新合同但是没有找到办法',
};

async function synthesiseIn(language: string): Promise<Float32Array> {
  const { stdout } = await run('espeak-ng', ['-v', language, '--stdout', SENTENCES[language] ?? ''], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  });
  const parsed = parseWav(stdout);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value.pcm;
}

const cases = (recordings: readonly Recording[]): RefusalCase[] => [
  { name: 'silence', make: ({ pcm }) => new Float32Array(pcm.length), reasons: ['silent'] },
  {
    name: 'room noise alone',
    make: ({ pcm }) => createRoomNoise(pcm.length).map((n) => n * 0.05),
    reasons: ['noisy', 'silent'],
  },
  {
    name: 'a steady tone',
    make: ({ pcm }) => pcm.map((_, n) => 0.3 * Math.sin(n * 0.2)),
    reasons: ['noisy', 'not_the_text'],
  },
  { name: 'music', make: ({ pcm }) => melody(pcm.length / 16), reasons: ['not_the_text', 'noisy', 'too_short'] },
  { name: 'clipped by 30 dB', make: ({ pcm }) => clipped(30)(pcm), reasons: ['clipped'] },
  { name: 'noise as loud as the voice', make: ({ pcm }) => noisy(0)(pcm), reasons: ['noisy', 'not_the_text'] },
  {
    name: 'another text',
    make: (_, index) => recordings[(index + 7) % recordings.length]?.pcm ?? new Float32Array(0),
    reasons: ['not_the_text', 'too_short'],
  },
  {
    name: 'another language',
    make: (_, index) => synthesiseIn(Object.keys(SENTENCES)[index % 4] ?? 'de'),
    reasons: ['not_the_text', 'too_short'],
  },
  { name: 'three times too fast', make: ({ pcm }) => faster(3)(pcm), reasons: ['not_the_text', 'too_short'] },
];

export interface Refusal {
  name: string;
  /** Share of recordings that were rejected for a correct reason. */
  refusedShare: number;
  /** The reasons given, most frequent first. */
  reasonCounts: string;
}

/** The last row is the control: the original recordings must be scored. */
export async function measureRefusals(recordings: readonly Recording[]): Promise<Refusal[]> {
  const scorer = await createScorer();
  const measureCase = async (name: string, make: MakeAudio, reasons: readonly string[]): Promise<Refusal> => {
    const counts = new Map<string, number>();
    for (const [index, recording] of recordings.entries()) {
      const assessment: Assessment = await scorer.assess({ pcm: await make(recording, index), text: recording.text });
      const reason = assessment.unusable?.reason ?? 'scored';
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    const refusedCount = [...counts]
      .filter(([reason]) => reasons.includes(reason))
      .reduce((sum, [, count]) => sum + count, 0);
    const given = [...counts].toSorted((a, b) => b[1] - a[1]).map(([reason, count]) => `${reason} ${count}`);
    return { name, refusedShare: refusedCount / recordings.length, reasonCounts: given.join(', ') };
  };
  const refusals: Refusal[] = [];
  for (const { name, make, reasons } of cases(recordings)) refusals.push(await measureCase(name, make, reasons));
  refusals.push(await measureCase('the learner as recorded (to be scored)', ({ pcm }) => pcm, ['scored']));
  await scorer.close();
  return refusals;
}
