/** Promises about sync: durability, speed and resistance to abuse. */
import { runTests, type TestCounts } from '../measure/run-tests.ts';
import { runTorture } from '../measure/run-torture.ts';
import { measureServerLoad } from '../measure/server-load.ts';
import { compareWithBaseline } from '../measure/compare-with-baseline.ts';
import { atLeast, atMost, type Outcome, type ProductPromise } from './promise.ts';

const toOutcome = ({ passed, failed }: Pick<TestCounts, 'passed' | 'failed'>, of: string): Outcome => ({
  figure: `${passed} of ${passed + failed} ${of}`,
  holds: failed === 0 && passed > 0,
});

/** Several rows show figures of one measurement. */
const once = <Value>(measure: () => Promise<Value>): (() => Promise<Value>) => {
  let measured: Promise<Value> | null = null;
  return () => (measured ??= measure());
};

const compareSessions = once(() => compareWithBaseline('sessions'));
const compareSpoken = once(() => compareWithBaseline('spoken'));
const measureNode = once(measureServerLoad);

/** Each day uses seeds that were never tested before. */
const seed = String(Math.floor(Date.now() / 86_400_000) * 1_000);

export const promises: readonly ProductPromise[] = [
  {
    claim:
      'Devices and server are killed, cut off, restored, skewed and upgraded at random: nothing acknowledged is lost, duplicated, diverged or stuck (PGlite)',
    bar: 'all runs',
    measure: async () => toOutcome(await runTorture(['--seed', seed, '--runs', '30']), 'runs'),
  },
  {
    claim: 'The same on PostgreSQL',
    bar: 'all runs',
    measure: async () => toOutcome(await runTorture(['--seed', seed, '--runs', '12', '--postgres']), 'runs'),
  },
  {
    claim: 'The oracle of these runs shares no code with the product, and reports every planted violation',
    bar: 'all tests',
    measure: async () => toOutcome(await runTests(['bench/src/torture/oracle']), 'tests'),
  },
  {
    claim:
      'A second client, written from docs/protocol.md alone, works with the server: two continuations, counted words, revived rows, a restore',
    bar: 'all tests',
    measure: async () => toOutcome(await runTests(['bench/src/second-client']), 'tests'),
  },
  {
    claim: 'Each field merges by its documented rule, whatever the order in which two writers arrive',
    bar: 'all tests',
    measure: async () =>
      toOutcome(await runTests(['packages/domain/src/sync', 'packages/domain/src/practice']), 'tests'),
  },
  {
    claim:
      'Messages of both protocol versions are as released; streams resume after any cut; restores, pokes and purges work',
    bar: 'all tests',
    measure: async () => toOutcome(await runTests(['packages/contract', 'sync-server/src/sync']), 'tests'),
  },
  {
    claim:
      'Forged, oversized, nested, compressed and endless requests are refused with a code and do not slow other clients down',
    bar: 'all tests',
    measure: async () =>
      toOutcome(await runTests(['sync-server/src/http', 'sync-server/src/web', 'sync-server/src/compose']), 'tests'),
  },
  {
    claim: 'A damaged database is replaced by its backup, and unsent changes are recovered from the damaged file',
    bar: 'all tests',
    measure: async () => toOutcome(await runTests(['desktop/src/host/store', 'desktop/src/host/sync']), 'tests'),
  },
  {
    claim:
      'A first sync fetches the list, then 90 days of conversations, then the rest: a device replaced in the middle, an export that is complete or says what is missing, and a search that says what is not on the device',
    bar: 'all tests',
    measure: async () => toOutcome(await runTests(['desktop/src/host/sync/pull']), 'tests'),
  },
  {
    claim:
      'Recordings: a killed app, cut connections, lost responses, damaged and lost copies, a full quota and two devices end with each copy kept once and playable; nothing is sent before consent or while someone speaks',
    bar: 'all tests',
    measure: async () =>
      toOutcome(await runTests(['desktop/src/host/kept-recordings', 'packages/speech/src/opus']), 'tests'),
  },
  {
    claim:
      'Recordings on the server: quota, a full disk, deletion from the storage with its session and account, and attacks on hashes, lengths, types and ranges (PGlite and PostgreSQL)',
    bar: 'all tests',
    measure: async () => toOutcome(await runTests(['sync-server/src/kept-recordings']), 'tests'),
  },
  {
    claim:
      'An empty device pulls 10,000 rows from PostgreSQL (times the floor: NDJSON through plain Fastify into SQLite)',
    bar: '<= 1.5',
    measure: async () => atMost((await compareSessions()).pullRatio, 1.5, 'x'),
  },
  {
    claim: 'A device pushes 1,000 new rows (times the floor)',
    bar: '<= 3',
    measure: async () => atMost((await compareSessions()).pushRatio, 3, 'x'),
  },
  {
    claim: 'A changed row appears quickly on a second device (median, ms)',
    bar: '<= 20',
    measure: async () => atMost((await compareSessions()).changeP50Ms, 20),
  },
  {
    claim:
      'An empty device pulls 300 spoken sessions with all turns, scores and attempts (times the floor, which stores as many rows)',
    bar: '<= 1.5',
    measure: async () => atMost((await compareSpoken()).pullRatio, 1.5, 'x'),
  },
  {
    claim: 'A device pushes 10 spoken sessions (times the floor, which stores as many rows)',
    bar: '<= 3',
    measure: async () => atMost((await compareSpoken()).pushRatio, 3, 'x'),
  },
  {
    claim: 'One node takes pushes of one turn with a p99 within 100 ms (highest rate tried, per second)',
    bar: '>= 1500',
    measure: async () => atLeast((await measureNode()).pushesPerSecond, 1_500),
  },
  {
    claim:
      'One node takes spoken answers, each two turns with scores and an attempt at every word, with a p99 within 100 ms: 5,000 learners who speak at the same time, an answer every 20 seconds (highest rate tried, per second)',
    bar: '>= 250',
    measure: async () => atLeast((await measureNode()).answersPerSecond, 250),
  },
  {
    claim: 'A node to which 5,000 devices listen stays within its memory limit at rest (MiB)',
    bar: '<= 600',
    measure: async () => atMost((await measureNode()).listeningMb, 600),
  },
];
