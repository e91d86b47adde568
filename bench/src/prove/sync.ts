/** The promises of sync: nothing is lost, nothing is slow, nobody gets in. */
import { runTests, type TestCounts } from '../measure/run-tests.ts';
import { runTorture } from '../measure/run-torture.ts';
import { type RaceFigures, raceTheFloor } from '../measure/sync-race.ts';
import { atMost, type Outcome, type ProductPromise } from './promise.ts';

const allOf = ({ passed, failed }: Pick<TestCounts, 'passed' | 'failed'>, of: string): Outcome => ({
  figure: `${passed} of ${passed + failed} ${of}`,
  holds: failed === 0 && passed > 0,
});

let raced: Promise<RaceFigures> | null = null;
const race = (): Promise<RaceFigures> => (raced ??= raceTheFloor());

/** Seeds that nobody has looked at: another one every day. */
const seed = String(Math.floor(Date.now() / 86_400_000) * 1_000);

export const promises: readonly ProductPromise[] = [
  {
    says: 'Devices and server, killed, cut off, restored from backups, skewed and upgraded at random: nothing acknowledged is lost, doubled, diverged or stuck (PGlite)',
    bar: 'all runs',
    keep: async () => allOf(await runTorture(['--seed', seed, '--runs', '30']), 'runs'),
  },
  {
    says: 'The same on PostgreSQL',
    bar: 'all runs',
    keep: async () => allOf(await runTorture(['--seed', seed, '--runs', '12', '--postgres']), 'runs'),
  },
  {
    says: 'The oracle of these runs shares no code with the product, and reports every violation that is planted',
    bar: 'all tests',
    keep: async () => allOf(await runTests(['bench/src/torture/oracle']), 'tests'),
  },
  {
    says: 'A second client, written from docs/protocol.md alone, meets the server: two continuations, counted words, revived rows, a restore',
    bar: 'all tests',
    keep: async () => allOf(await runTests(['bench/src/second-client']), 'tests'),
  },
  {
    says: 'Each field merges by its documented rule, whatever the order in which two writers arrive',
    bar: 'all tests',
    keep: async () => allOf(await runTests(['packages/domain/src/sync', 'packages/domain/src/practice']), 'tests'),
  },
  {
    says: 'The messages of both protocol versions are as they shipped; streams cut anywhere go on; restores, pokes and purges hold',
    bar: 'all tests',
    keep: async () => allOf(await runTests(['packages/contract', 'sync-server/src/sync']), 'tests'),
  },
  {
    says: 'Forged, oversized, nested, compressed and endless requests are refused with a code, and slow nobody else down',
    bar: 'all tests',
    keep: async () => allOf(await runTests(['sync-server/src/app']), 'tests'),
  },
  {
    says: 'A damaged database is replaced by its backup, and what was never sent is read out of the damaged file',
    bar: 'all tests',
    keep: async () => allOf(await runTests(['desktop/src/host/store', 'desktop/src/host/sync']), 'tests'),
  },
  {
    says: 'An empty device pulls 10,000 rows from PostgreSQL (times the floor: NDJSON through plain Fastify into SQLite)',
    bar: '<= 2',
    keep: async () => atMost((await race()).pullRatio, 2, 'x'),
  },
  {
    says: 'A device pushes 1,000 new rows (times the floor)',
    bar: '<= 2',
    keep: async () => atMost((await race()).pushRatio, 2, 'x'),
  },
  {
    says: 'A changed row is seen on a second device soon (median, ms)',
    bar: '<= 50',
    keep: async () => atMost((await race()).changeP50Ms, 50),
  },
];
