/**
 * Runs random histories: `node bench/src/learning/main.ts --seed N --runs N [--devices N] [--postgres]`. The same seed
 * draws the same history.
 */
import { parseArgs } from 'node:util';
import { runHistories } from './run-histories.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '40' },
    devices: { type: 'string' },
    postgres: { type: 'boolean', default: false },
  },
});

const { passed, failed } = await runHistories({
  seed: Number(values.seed),
  runs: Number(values.runs),
  devices: values.devices === undefined ? null : Number(values.devices),
  isPostgres: values.postgres,
  onRun: (seed, wrong) => {
    if (wrong.length > 0) console.log(`seed ${seed}\n  ${wrong.join('\n  ')}`);
  },
});
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
