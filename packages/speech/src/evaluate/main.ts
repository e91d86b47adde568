/** `node packages/speech/src/evaluate/main.ts --corpus DIR [--split validation] [--folds DIR] [--limit N] [--json]` */
import { parseArgs } from 'node:util';
import { type CorpusFigures, evaluateCorpus } from './index.ts';

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    split: { type: 'string' },
    folds: { type: 'string' },
    limit: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
if (values.corpus === undefined) throw new Error('--corpus DIR is required');

const shared = {
  corpusDir: values.corpus,
  ...(values.split === undefined ? {} : { split: values.split }),
  ...(values.folds === undefined ? {} : { foldsDir: values.folds }),
  ...(values.limit === undefined ? {} : { limit: Number(values.limit) }),
};
const groups: [string, CorpusFigures][] = [
  ['all', await evaluateCorpus(shared)],
  ['children', await evaluateCorpus({ ...shared, ages: { from: 0, to: 15 } })],
  ['adults', await evaluateCorpus({ ...shared, ages: { from: 16, to: 200 } })],
];
if (values.json) {
  console.log(JSON.stringify(Object.fromEntries(groups), null, 2));
} else {
  const names = Object.keys(groups[0]?.[1] ?? {}) as (keyof CorpusFigures)[];
  console.log(['figure'.padEnd(22), ...groups.map(([group]) => group.padStart(10))].join(''));
  for (const name of names) {
    const cells = groups.map(([, figures]) => String(Math.round(figures[name] * 1000) / 1000).padStart(10));
    console.log([name.padEnd(22), ...cells].join(''));
  }
}
