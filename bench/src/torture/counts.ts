/** How often each thing was thrown or done, over all runs. */
import { formatTable } from '../prove/table.ts';
import { FAULTS } from './faults.ts';

export interface Counts {
  add: (what: string, times?: number) => void;
  table: () => string;
}

export function createCounts(): Counts {
  const byName = new Map<string, number>(FAULTS.map((fault) => [fault, 0]));
  return {
    add: (what, times = 1) => void byName.set(what, (byName.get(what) ?? 0) + times),
    table: () =>
      formatTable(
        ['thrown or done', 'times'],
        [...byName].map(([name, times]) => [name.replaceAll('_', ' '), String(times)]),
      ),
  };
}
