/** Stores the rows in a poke, or requests a round that pulls them. */
import type { PokeWithRows } from '@parley/contract';
import type { Checkpointer } from './checkpointer.ts';
import type { PokeFollowUp } from './poke-follow-up.ts';
import { type PullParts, storePokeRows } from './pull/pull-pages.ts';
import type { RoundLoop } from './round-loop.ts';
import type { StatusReporter } from './status-reporter.ts';

export interface PokeHandlerParts extends PullParts {
  reporter: StatusReporter;
  rounds: RoundLoop;
  checkpointer: Checkpointer;
  followUp: PokeFollowUp;
}

export function createPokeHandler(parts: PokeHandlerParts): (poke: PokeWithRows) => void {
  const { logger, reporter, rounds, checkpointer, followUp } = parts;

  /** Returns false if storing fails or the rows do not fit; the next round then pulls them. */
  function storeRows({ rows, ...versions }: PokeWithRows): boolean {
    if (rows === undefined) return false;
    try {
      if (!storePokeRows(parts, { rows, versions })) return false;
      checkpointer.onRowsStored();
      followUp.onRowsStored(rows.tables);
      return true;
    } catch (error) {
      logger.error({ err: error }, 'poke_rows_store_failed');
      return false;
    }
  }

  return (poke) => {
    const state = reporter.state();
    // A device that is behind pulls anyway, and this poke may be older than the one that made it pull.
    const canStoreRows = !rounds.isRunning() && state === 'idle' && !rounds.isBehind();
    rounds.announce({ user: poke.user, catalogue: poke.catalogue });
    if (canStoreRows && storeRows(poke)) reporter.report();
    // A poke shows that the server is reachable again, so the backoff ends.
    const isWaiting = state === 'offline' || state === 'backing_off';
    if (rounds.mayStartRound() && (isWaiting || rounds.isBehind())) rounds.schedule(0);
  };
}
