/** Parses the command line of the load test. */
import { parseArgs } from 'node:util';

export interface LoadArguments {
  /** How long each rate is sustained. */
  seconds: number;
  /** Number of learners in the largest database. */
  learners: number;
}

export const USAGE = 'npm run bench:server -- [--seconds N] [--learners N]';

/** Throws an error with a message for the user when an argument is invalid. */
export function readArguments(args: string[]): LoadArguments {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: 'string', default: '8' }, learners: { type: 'string', default: '5000' } },
  });
  const [seconds, learners] = [Number(values.seconds), Number(values.learners)];
  if (!Number.isInteger(seconds) || seconds < 1) throw new Error('--seconds takes a whole number, 1 or more');
  if (!Number.isInteger(learners) || learners < 100) throw new Error('--learners takes a whole number, 100 or more');
  return { seconds, learners };
}
