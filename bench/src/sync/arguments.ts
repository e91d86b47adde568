/** Parses the command line of the sync comparison. */
import { parseArgs } from 'node:util';
import { type Contestant, CONTESTANTS } from './contestant.ts';
import { type Workload, WORKLOAD_KINDS, WORKLOADS } from './workload.ts';

export interface RaceArguments {
  runs: number;
  contestants: readonly Contestant[];
  workload: Workload;
}

const DEFAULT_RUNS = '3';

export const USAGE = `npm run bench:sync -- [--runs N] [--only ${CONTESTANTS.map(({ folder }) => folder).join(',')}] [--rows ${WORKLOAD_KINDS.join('|')}]`;

/** Throws an error with a message for the user when an argument is invalid. */
export function readArguments(args: string[]): RaceArguments {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: DEFAULT_RUNS },
      only: { type: 'string' },
      rows: { type: 'string', default: 'sessions' },
    },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs takes a whole number, 1 or more');
  const kind = WORKLOAD_KINDS.find((known) => known === values.rows);
  if (kind === undefined) throw new Error(`--rows takes ${WORKLOAD_KINDS.join(' or ')}`);
  const asked = values.only?.split(',') ?? CONTESTANTS.map(({ folder }) => folder);
  const unknown = asked.filter((folder) => !CONTESTANTS.some((contestant) => contestant.folder === folder));
  if (unknown.length > 0) throw new Error(`there is no contestant ${unknown.join(', ')}`);
  return {
    runs,
    contestants: CONTESTANTS.filter(({ folder }) => asked.includes(folder)),
    workload: WORKLOADS[kind],
  };
}
