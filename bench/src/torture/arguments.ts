/** Parses the command line of the torture test. */
import { parseArgs } from 'node:util';
import { type Fault, FAULTS } from './faults.ts';

export interface TortureArguments {
  seed: number;
  runs: number;
  isPostgres: boolean;
  /** Number of devices of the first learner; null draws it from the seed. */
  devices: number | null;
  /** No run starts after this many minutes; null means no limit. */
  minutes: number | null;
  parallel: number;
  without: ReadonlySet<Fault>;
  /** Replays the seeds that once failed first. */
  withRegressions: boolean;
}

/** Measured on two cores, where a third concurrent run is no faster. */
const DEFAULT_PARALLEL = '2';
export const MAX_DEVICES = 5;

export const USAGE = `npm run --silent torture -- [--seed N] [--runs N] [--postgres] [--devices N] [--minutes N]
  [--parallel N] [--regressions] [--without ${FAULTS.join(',')}]`;

/** Throws an error with a message for the user when an argument is invalid. */
export function readArguments(args: string[]): TortureArguments {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      runs: { type: 'string', default: '20' },
      postgres: { type: 'boolean', default: false },
      devices: { type: 'string' },
      minutes: { type: 'string' },
      parallel: { type: 'string', default: DEFAULT_PARALLEL },
      without: { type: 'string', default: '' },
      regressions: { type: 'boolean', default: false },
    },
  });
  const whole = (name: string, text: string, min: number, max: number): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new Error(`--${name} takes a whole number from ${min} to ${max}`);
    return value;
  };
  const without = values.without.split(',').filter((name) => name !== '');
  const unknown = without.filter((name) => !FAULTS.some((fault) => fault === name));
  if (unknown.length > 0) throw new Error(`no fault is called ${unknown.join(', ')}`);
  return {
    seed: whole('seed', values.seed, 0, 2 ** 31),
    runs: whole('runs', values.runs, 0, 1_000_000),
    isPostgres: values.postgres,
    devices: values.devices === undefined ? null : whole('devices', values.devices, 2, MAX_DEVICES),
    minutes: values.minutes === undefined ? null : whole('minutes', values.minutes, 1, 100_000),
    parallel: whole('parallel', values.parallel, 1, 16),
    without: new Set(FAULTS.filter((fault) => without.includes(fault))),
    withRegressions: values.regressions,
  };
}
