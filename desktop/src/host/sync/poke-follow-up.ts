/**
 * Runs the follow-up work of a pull after a poke that brought an ended session, because answers recorded here may still
 * have to be scored. The search for them takes a while, so a device that sends many sessions does not trigger it for
 * each one.
 */
import type { TableRows } from '@parley/contract';

export interface PokeFollowUp {
  /** Call this when the rows of a poke have been stored. */
  onRowsStored(tables: readonly TableRows[]): void;
  cancel(): void;
}

const MIN_INTERVAL_MS = 10_000;

export function createPokeFollowUp(run: () => void): PokeFollowUp {
  let timer: NodeJS.Timeout | null = null;
  let isWanted = false;

  function runIfWanted(): void {
    timer = null;
    if (!isWanted) return;
    isWanted = false;
    timer = setTimeout(runIfWanted, MIN_INTERVAL_MS).unref();
    run();
  }

  return {
    onRowsStored(tables) {
      if (!tables.some(hasEndedSession)) return;
      isWanted = true;
      if (timer === null) runIfWanted();
    },
    cancel() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

function hasEndedSession({ table, fields, rows }: TableRows): boolean {
  if (table !== 'practice_history') return false;
  const status = fields.indexOf('status');
  return rows.some((row) => row[status] !== 'in_progress');
}
