/** Counts how often each fault and each kind of edit occurred over all runs. */
import { formatTable } from '../report/format-table.ts';
import { FAULTS } from './faults.ts';

export interface FaultCounts {
  add: (what: string, times?: number) => void;
  table: () => string;
}

export function createFaultCounts(): FaultCounts {
  const byName = new Map<string, number>(FAULTS.map((fault) => [fault, 0]));
  return {
    add: (what, times = 1) => void byName.set(what, (byName.get(what) ?? 0) + times),
    table: () =>
      formatTable(
        ['fault or action', 'times'],
        [...byName].map(([name, times]) => [name.replaceAll('_', ' '), String(times)]),
      ),
  };
}
