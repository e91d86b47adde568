/**
 * `npm run bench:coach`: measures how well the offline coach understands free answers on two held-out sets, whose
 * writers knew only the scenes and which were never used for tuning: typed, and as a recogniser with 15 % word errors would write them.
 */
import { HELD_OUT, measureUnderstanding, SECOND_HELD_OUT, type UnderstandingRow } from './measure-understanding.ts';
import { createWordErrors } from './word-errors.ts';

const WORD_ERRORS = 0.15;
const SEED = 20;

const describeBar = ({ required }: UnderstandingRow): string =>
  required === null ? '' : `${required.isMaximum ? 'at most' : 'at least'} ${required.bar}`;

function print(title: string, change: (said: string) => string, hasBars: boolean, manifest = HELD_OUT): void {
  const { rows, seconds } = measureUnderstanding(manifest, change);
  process.stdout.write(
    `\n${title} (${seconds.toFixed(0)} s)\n\n| what | % | of | required | holds |\n| --- | --- | --- | --- | --- |\n`,
  );
  for (const row of rows) {
    const [bar, holds] = hasBars && row.holds !== null ? [describeBar(row), row.holds ? 'yes' : 'NO'] : ['', ''];
    process.stdout.write(`| ${row.what} | ${row.percent.toFixed(1)} | ${row.of} | ${bar} | ${holds} |\n`);
  }
}

print('Typed', (said) => said, true);
print('Transcribed, without errors', createWordErrors(0, SEED), false);
print('Transcribed, with 15 % word errors', createWordErrors(WORD_ERRORS, SEED), false);
print('Second set, typed', (said) => said, true, SECOND_HELD_OUT);
print('Second set, with 15 % word errors', createWordErrors(WORD_ERRORS, SEED), false, SECOND_HELD_OUT);
